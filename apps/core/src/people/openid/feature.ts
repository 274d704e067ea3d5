import { createOpenid, type OpenidSettings } from './openid.ts'

type Needs = Omit<Parameters<typeof createOpenid>[0], 'settings'> & {
  openidSettings: OpenidSettings | undefined
}

/** The sign-in at a provider; there is none without settings. */
export function openidFeature({ openidSettings: settings, ...needs }: Needs) {
  return { face: settings && createOpenid({ ...needs, settings }) }
}
