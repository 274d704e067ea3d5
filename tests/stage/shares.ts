/** The disk of another system, mounted into a folder: it has another device at each mount, as a share has. Linux, root. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Share {
  /** Nothing is written to it, and nothing removed from it, until it is mounted again. */
  protect(): void
  mountAgain(): void
  remove(): void
}

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })

/** Fails with what `mount` printed. */
function mount(...args: string[]): void {
  const { status, stderr } = run('mount', ...args)
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`)
}

/** Mounts an empty one at `place`; both folders are made where they are missing, and `folder` has its content. */
export function mountShare(place: string, folder: string): Share {
  const [disk, other] = [join(folder, 'disk'), join(folder, 'other')]
  const layers = ['lower', 'upper', 'work'].map((name) => ({ name, path: join(disk, name) }))
  const options = layers.map(({ name, path }) => `${name}dir=${path}`).join()
  const mountLayers = () => mount('-t', 'overlay', 'overlay', '-o', options, place)
  function remove(): void {
    for (const one of [place, other, disk]) run('umount', '--lazy', one)
  }
  for (const one of [place, disk, other]) mkdirSync(one, { recursive: true })
  try {
    mount('-t', 'tmpfs', 'tmpfs', disk)
    for (const { path } of layers) mkdirSync(path)
    mountLayers()
  } catch (error) {
    remove()
    throw error
  }
  return {
    protect: () => mount('-o', 'remount,ro', place),
    mountAgain() {
      run('umount', '--lazy', place)
      // The kernel gives the number of the device that is free: it is of another disk now.
      mount('-t', 'tmpfs', 'tmpfs', other)
      mountLayers()
    },
    remove,
  }
}

/** Why this machine lets the test mount none; undefined where it does. */
export function shareFault(folder: string): string | undefined {
  try {
    mountShare(join(folder, 'trial'), join(folder, 'trial-content')).remove()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
