/** The address for uploads of units: next to the gateway that the device dials. */
import { GATEWAY_UPLOADS_PATH } from '@backhaul/contract/gateway/shared'

/** ws://host/gateway becomes http://host/gateway/uploads/{id}, wss: becomes https:. */
export function uploadAddress(coreUrl: string, uploadId: string): string {
  const url = new URL(coreUrl.replace(/^ws/, 'http'))
  url.pathname = `${GATEWAY_UPLOADS_PATH}/${encodeURIComponent(uploadId)}`
  return url.href
}
