// The labels of files from other systems: in a JSON document next to each of them, and here next to the stored file.
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LABELS_LENGTH, type Labels } from '@backhaul/contract/nouns/files'

/** The path of the labels of a file; no file may have such a name, so it is in no list. */
export const labelsPath = (path: string): string => join(dirname(path), `.${basename(path)}.labels`)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Of a document as the hub itself writes it, the labels in `story`; of any other object its texts, numbers and truth
 * values. What is beyond the length of labels is left out. Undefined for what is no such document.
 */
export function labelsIn(text: string): Labels | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(document)) return undefined
  const given = isRecord(document.story) ? document.story : document
  const labels: Labels = {}
  let left = LABELS_LENGTH
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value) || name === '') continue
    const length = name.length + String(value).length
    if (length > left) continue
    left -= length
    labels[name] = String(value)
  }
  return labels
}

/** Writes the labels of a file; without any, those of an earlier file of that name are removed. */
export const writeLabels = (path: string, labels: Labels): Promise<void> =>
  writeFile(labelsPath(path), JSON.stringify(labels))

export const readLabels = (path: string): Promise<Labels | undefined> =>
  readFile(labelsPath(path), 'utf8').then(labelsIn, () => undefined)
