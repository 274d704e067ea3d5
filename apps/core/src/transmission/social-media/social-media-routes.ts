import type { socialMedia as endpoints } from '@backhaul/contract/api/social-media'
import type { Handlers } from '../../doors/api/bind.ts'
import type { SocialMedia } from './social-media.ts'

/** The keys at providers are in no log. */
const loggable = ({ streamKey: _, previewKey: __, ...rest }: { streamKey?: unknown; previewKey?: unknown }) =>
  rest

export function socialMediaRoutes(socialMedia: SocialMedia): Handlers<typeof endpoints> {
  return {
    async go({ caller, params: { id }, query, body: { status, ...details }, note }) {
      const streamed = await socialMedia.go(caller, id, query.group, details, status)
      note({ objectKind: 'units', objectId: id, details: { ...loggable(details), status } })
      return streamed
    },
    async stop({ caller, params: { id }, query, note }) {
      await socialMedia.stop(caller.scope, id, query.group)
      note({ objectKind: 'units', objectId: id })
      return { done: true }
    },
    statuses: ({ caller, params }) => socialMedia.statuses(caller.scope, params.group),
    mediaProfiles: ({ query }) =>
      socialMedia.mediaProfiles(query.streamingProviderName, query.streamingProviderDomain),
    details: ({ caller, query }) => socialMedia.details(caller.scope, query.channelUid),
    async saveDetails({ caller, body: { channelUid, ...changes }, note }) {
      const details = await socialMedia.save(caller.scope, channelUid, changes)
      note({ objectKind: 'channels', objectId: channelUid, details: loggable(changes) })
      return details
    },
  }
}
