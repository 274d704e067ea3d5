// News of one topic from push, for data that are read once and kept current by push from then on.
import { useEffect, useState } from 'react'
import { push } from './push.ts'

/** The fields that came since the revision `since`, each as it is now; a topic that is not known yet is not followed. */
export function useNews<T extends object>(topic: string | undefined, since?: string): Partial<T> {
  const [news, setNews] = useState<{ since?: string | undefined; topic?: string; fields: Partial<T> }>()
  useEffect(() => {
    if (topic === undefined) return
    const stop = push.subscribe(
      topic,
      ({ data }) =>
        setNews((before) => ({ since, topic, fields: { ...before?.fields, ...(data as Partial<T>) } })),
      since,
    )
    return () => {
      stop()
      setNews(undefined)
    }
  }, [topic, since])
  return news !== undefined && news.topic === topic && news.since === since ? news.fields : {}
}
