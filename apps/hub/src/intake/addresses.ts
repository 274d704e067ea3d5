import type { HubSlot } from '../messages.ts'
import { RTMP_APP } from './rtmp/rtmp-input.ts'

/** What users enter in their encoder, in addition to the key of the channel; {host} is the server's address. */
export function inputAddressOf({ intake, port }: HubSlot): string | null {
  if (intake === 'bonded') return null
  return intake === 'srt' ? `srt://{host}:${port}` : `rtmp://{host}:${port}/${RTMP_APP}`
}
