// Signs an output in at a destination that requires a user name and a password, without passing them to ffmpeg.
import type { Output } from '@backhaul/contract/gateway/servers'
import { splitCredentials } from './credentials.ts'
import { rtmpPlaceOf } from './output-secrets.ts'
import { signInAtRtmp } from './rtmp-sign-in.ts'
import { openRtspRelay } from './rtsp-relay.ts'

export interface SignIn {
  /** Where ffmpeg sends to, without the credentials. */
  readonly url: string
  /** Appended to the name of the RTMP application; valid for one connection. */
  readonly proof: string
  /** A problem of the destination that ffmpeg cannot see. */
  problem(): string | undefined
  close(): void
}

const none = { proof: '', problem: () => undefined, close() {} }

/** Signs in for one start of ffmpeg. Rejects with a message as ffmpeg would print it. */
export async function signInAt({ protocol, url: named }: Output): Promise<SignIn> {
  const { url, credentials } = splitCredentials(named)
  if (credentials && protocol === 'rtsp') return { ...none, ...(await openRtspRelay(url, credentials)) }
  const place = credentials && protocol === 'rtmp' ? rtmpPlaceOf(url) : undefined
  if (credentials && place) return { ...none, url, proof: await signInAtRtmp(place, credentials) }
  return { ...none, url }
}
