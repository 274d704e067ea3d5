/** Where files of units change hands: beside the gateway that the device dials. */
import { GATEWAY_UPLOADS_PATH } from '@backhaul/contract/gateway/shared'

/** From ws://host/gateway comes http://host/gateway/uploads/{id}, from wss: https:. */
export function uploadAddress(coreUrl: string, uploadId: string): string {
  const url = new URL(coreUrl.replace(/^ws/, 'http'))
  url.pathname = `${GATEWAY_UPLOADS_PATH}/${encodeURIComponent(uploadId)}`
  return url.href
}
