// A feature as core mounts it, and the list of features of an area: each is made with the faces of those before it.
import type { Api } from '../doors/api/api.ts'

/** Handlers by noun of the contract. */
export type Routes = Readonly<Partial<Record<string, Readonly<Record<string, unknown>>>>>

export interface Feature<Face = unknown> {
  /** The interface for later features. */
  face: Face
  /** The handlers of its calls, by noun of the contract. */
  routes?: Routes
  /** Adds routes that are outside the contract, such as streams. */
  bind?(api: Api): void
  /** Reads what is stored and starts timers; called in the written order, before clients can connect. */
  start?(): unknown
  /** Ends timers and stores what is not stored yet; called in the opposite order, after the last connection was closed. */
  stop?(): unknown
}

type RoutesOf<F> = F extends { routes: infer R } ? R : unknown

/** Features that are made, and for the compiler alone which calls they handle. */
interface Made<Bound> {
  readonly features: readonly Feature[]
  readonly handled?: Bound
}

/** `Needs`: what a feature may use. `Faces` and `Bound`: what the features of this list offer and handle. */
export interface FeatureList<Needs, Faces, Bound> extends Made<Bound> {
  /** Makes a feature with all faces so far and offers its face under `name` to those after it. */
  add<Name extends string, F extends Feature>(
    name: Name,
    make: (needs: Needs) => F,
  ): FeatureList<
    Needs & { readonly [Key in Name]: F['face'] },
    Faces & { readonly [Key in Name]: F['face'] },
    Bound & RoutesOf<F>
  >
  readonly faces: Faces
}

export function featuresWith<Needs extends object>(needs: Needs): FeatureList<Needs, unknown, unknown> {
  const faces: Record<string, unknown> = {}
  const features: Feature[] = []
  const list = {
    add(name: string, make: (needs: never) => Feature) {
      const feature = make({ ...needs, ...faces } as never)
      faces[name] = feature.face
      features.push(feature)
      return list
    },
    faces,
    features,
  }
  return list as never
}

type HandledBy<Lists> = Lists extends readonly [Made<infer Bound>, ...infer Rest]
  ? Bound & HandledBy<Rest>
  : unknown

/** The features of several lists in one, with the handlers of each noun; throws where two handle the same call. */
export function joined<const Lists extends readonly Made<unknown>[]>(
  lists: Lists,
): { features: readonly Feature[]; routes: HandledBy<Lists> } {
  const features = lists.flatMap((list) => list.features)
  const routes: Record<string, Record<string, unknown>> = {}
  for (const [noun, handlers = {}] of features.flatMap((feature) => Object.entries(feature.routes ?? {}))) {
    const handled = routes[noun] ?? {}
    const twice = Object.keys(handlers).find((name) => name in handled)
    if (twice !== undefined) throw new Error(`Two features handle ${noun}.${twice}`)
    routes[noun] = { ...handled, ...handlers }
  }
  return { features, routes: routes as HandledBy<Lists> }
}

/** Runs every stop, one after the other, even when one fails; then throws the failures. */
export async function stopAll(stops: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const stop of stops)
    try {
      await stop()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts of core did not stop`)
}
