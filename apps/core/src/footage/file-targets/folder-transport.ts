// Sending into a folder of another machine: into a file that is not complete, which gets its name when it is.
import { Readable, Transform } from 'node:stream'
import { because } from '@backhaul/contract/define/refusals'
import { documentName } from '@backhaul/contract/nouns/metadata-formats'
import { freeName, type OpenTarget, TransferFailure, type Transport } from './transfer.ts'

/** The folder of a target, over one connection; methods throw TransferFailure. */
export interface RemoteFolder {
  /** Undefined for what is not there. */
  sizeOf(name: string): Promise<number | undefined>
  /** Appends after this many bytes; from 0 it replaces the file. */
  write(name: string, from: number, content: Readable): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** At most this many of the last bytes of an interrupted file may be wrong. */
  readonly unsureBytes: number
  /** Ends what runs. */
  close(): void
}

/** `open` signs in and makes the folder where it is missing. */
export function folderTransport(open: (target: OpenTarget) => Promise<RemoteFolder>): Transport {
  return {
    async check(target) {
      const folder = await open(target)
      folder.close()
    },
    async send(target, item, { progress, keep, sent, signal }) {
      const { id, fileName, sizeBytes, document } = item
      const folder = await open(target)
      let content: Readable | undefined
      const close = () => {
        content?.destroy()
        folder.close()
      }
      signal.addEventListener('abort', close)
      try {
        signal.throwIfAborted()
        const part = `.${id}.part`
        const isThere = async (name: string) => (await folder.sizeOf(name)) !== undefined
        const there = await folder.sizeOf(part)
        const { name = await freeName(fileName, isThere) } = progress
        // The answer to the last rename was lost.
        if (there === undefined && (await folder.sizeOf(name)) === sizeBytes && progress.name !== undefined)
          return
        await keep({ name })
        const from = there !== undefined && there <= sizeBytes ? Math.max(0, there - folder.unsureBytes) : 0
        sent(from)
        if (from < sizeBytes || there === undefined) {
          content = counted(await item.read(from), from, sent)
          signal.throwIfAborted()
          await folder.write(part, from, content)
        }
        const now = (await folder.sizeOf(part)) ?? 0
        if (now !== sizeBytes)
          throw new TransferFailure(because('sending.sizeDiffers', { there: now, size: sizeBytes }), false)
        // First: who watches the folder for files finds the document of each.
        if (document) {
          const unfinished = `.${id}.document.part`
          await folder.write(unfinished, 0, Readable.from([Buffer.from(document.text)]))
          await folder.rename(unfinished, documentName(name, document.format))
        }
        await folder.rename(part, name)
      } finally {
        signal.removeEventListener('abort', close)
        close()
      }
    },
  }
}

/** Passes the bytes on and reports how many they are with those before them. */
export function counted(content: Readable, before: number, sent: (bytes: number) => void): Readable {
  let bytes = before
  const counting = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      sent(bytes)
      done(null, chunk)
    },
  })
  content.on('error', (error) => counting.destroy(error))
  counting.on('close', () => content.destroy())
  return content.pipe(counting)
}
