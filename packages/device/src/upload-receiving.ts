/** Fetches a file that a unit sends from core, as long as it takes. */
import type { StoredFileKey } from '@backhaul/contract/gateway/servers'
import type { ServerFiles } from './server-hardware.ts'
import type { TokenStore } from './token-store.ts'
import { uploadAddress } from './upload-address.ts'

export interface UploadReceivingOptions {
  coreUrl: string
  tokens: TokenStore
  receive: NonNullable<ServerFiles['receive']>
}

/** Resolves when the whole file is kept; what broke off leaves nothing behind. */
export async function receiveUpload(
  { coreUrl, tokens, receive }: UploadReceivingOptions,
  uploadId: string,
  file: StoredFileKey,
): Promise<void> {
  const token = (await tokens.load())?.token ?? ''
  const answer = await fetch(uploadAddress(coreUrl, uploadId), {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok || !answer.body) throw new Error('The upload was called off')
  await receive(file, answer.body)
}
