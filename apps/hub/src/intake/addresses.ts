import type { HubSlot } from '../messages.ts'
import { RTMP_APP } from './rtmp/rtmp-input.ts'

/** The address that users enter in their encoder in addition to the key of the channel; {host} is that of the server. */
export function inputAddressOf({ intake, port, slot }: HubSlot, webAddress: string | null): string | null {
  if (intake === 'bonded') return null
  if (intake === 'webrtc') return webAddress === null ? null : `${webAddress}/whip/${slot}`
  return intake === 'rtmp' ? `rtmp://{host}:${port}/${RTMP_APP}` : `${intake}://{host}:${port}`
}
