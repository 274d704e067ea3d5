import type { PageQuery } from '@backhaul/contract/define/answers'
import type { SettingStore } from './setting-store.ts'

interface Call<T> {
  params: { id: string }
  query: PageQuery
  body: T
  note(more: { objectId?: string; details: Readonly<Record<string, unknown>> }): void
}

/** The four calls of one child. */
export function settingRoutes<T extends Readonly<Record<string, unknown>>>(store: SettingStore<T>) {
  return {
    list: ({ query }: Pick<Call<T>, 'query'>) => store.page(query),
    async create({ body, note }: Pick<Call<T>, 'body' | 'note'>) {
      const made = await store.create(body)
      note({ objectId: made.id, details: { ...body } })
      return made
    },
    async change({ params, body, note }: Pick<Call<T>, 'params' | 'body' | 'note'>) {
      const changed = await store.change(params.id, body)
      note({ details: { ...body } })
      return changed
    },
    async remove({ params }: Pick<Call<T>, 'params'>) {
      await store.remove(params.id)
      return { done: true } as const
    },
  }
}
