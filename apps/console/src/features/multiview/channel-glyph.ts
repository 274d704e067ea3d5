import { type ChannelStatus, channelIsIn } from '@backhaul/contract/nouns/channels'
import type { GlyphShape, Tone } from '../../ui/StatusGlyph.tsx'

/** Shape and colour of a channel's status; the word stands beside it. */
export function channelGlyph(status: ChannelStatus): { shape: GlyphShape; tone: Tone } {
  if (channelIsIn(status, 'offline')) return { shape: 'slashedRing', tone: 'offline' }
  if (channelIsIn(status, 'collecting')) return { shape: 'disc', tone: 'live' }
  if (status === 'connecting') return { shape: 'arc', tone: 'transition' }
  return channelIsIn(status, 'busy')
    ? { shape: 'dashedSquare', tone: 'busy' }
    : { shape: 'ring', tone: 'ready' }
}
