// The interface of a transport to a file target, with its arguments.
import type { Readable } from 'node:stream'
import { english, type Reason } from '@backhaul/contract/define/refusals'
import type { MetadataFormat } from '@backhaul/contract/nouns/metadata-formats'

/** Without an answer, or a byte, for this long a target counts as lost: its check is waited for 30 s. */
export const silentAfterMs = 20_000

/** Why a file is not at its target; a final one is not tried again. */
export class TransferFailure extends Error {
  readonly why: Reason
  readonly isFinal: boolean
  constructor(why: Reason, isFinal: boolean) {
    super(english(why))
    this.why = why
    this.isFinal = isFinal
  }
}

/** A target with its secret. */
export interface OpenTarget {
  readonly url: URL
  readonly username: string
  readonly secret: string
  readonly region: string
  readonly hostKey: string
}

/** The file and the document that goes with it. */
export interface Item {
  /** The id of the sending: part of the name of an incomplete file at the target. */
  readonly id: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly document: { readonly format: MetadataFormat; readonly text: string } | undefined
  /** The bytes from `from` to `to`, or to the end. */
  read(from: number, to?: number): Promise<Readable>
}

/** The progress of an item at its target, so that another try continues there. */
export interface Progress {
  /** A free name, chosen before the first byte. */
  readonly name?: string
  /** A started upload of S3; `parts` are the tags of its complete parts. */
  readonly uploadId?: string
  readonly parts?: readonly string[]
}

export interface Watch {
  readonly progress: Progress
  /** Resolves once it is stored. */
  keep(progress: Progress): Promise<void>
  /** The number of bytes of the file that are at the target. */
  sent(bytes: number): void
  readonly signal: AbortSignal
}

export interface Transport {
  /** Signs in and opens the folder. Throws TransferFailure. */
  check(target: OpenTarget): Promise<void>
  /** Resolves once the target has all of it. Throws TransferFailure, and what reading the file throws. */
  send(target: OpenTarget, item: Item, watch: Watch): Promise<void>
}

const namesAtMost = 100

/** A name that nothing has at the target: `Harbour (2).mp4` where `Harbour.mp4` is taken. */
export async function freeName(
  fileName: string,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  const ending = /\.\w+$/.exec(fileName)?.[0] ?? ''
  const stem = fileName.slice(0, fileName.length - ending.length)
  for (let number = 1; number <= namesAtMost; number++) {
    const name = number === 1 ? fileName : `${stem} (${number})${ending}`
    if (!(await isTaken(name))) return name
  }
  throw new TransferFailure('name.taken', true)
}

/** The names of the folders of an address, without those that name none. */
export const foldersOf = ({ pathname }: URL): string[] => pathname.split('/').filter(Boolean).map(decoded)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
