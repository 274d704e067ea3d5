/** The metadata of a file as a document: XML or JSON (EN-FILE-13). */
import type { FileMetadata } from './files.ts'
import type { MetadataFormat } from './metadata-formats.ts'

/** The document of a file, with the file's name; `story` holds the labels by their names. */
export function metadataDocument(fileName: string, metadata: FileMetadata, format: MetadataFormat): string {
  const about = { fileName, ...metadata }
  return format === 'json' ? `${JSON.stringify(about, null, 2)}\n` : xmlOf(about)
}

/** Labels have any name, so it is an attribute; what is not known is left out. */
function xmlOf({ gps, story, labels: _, ...facts }: { fileName: string } & FileMetadata): string {
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [`  <${name}>${escaped(String(value))}</${name}>`],
  )
  const place = gps ? [`  <gps lat="${gps.lat}" lng="${gps.lng}"/>`] : []
  const labels = Object.entries(story).map(
    ([name, value]) => `    <label name="${escaped(name)}">${escaped(value)}</label>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<file>',
    ...lines,
    ...place,
    ...(labels.length === 0 ? ['  <labels/>'] : ['  <labels>', ...labels, '  </labels>']),
    '</file>',
    '',
  ].join('\n')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 cannot hold are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
