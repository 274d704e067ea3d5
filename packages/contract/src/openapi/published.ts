/** The texts of published/ from the present contract. */
import { allEndpoints } from '../api/api.ts'
import { refusals } from '../define/refusals/all.ts'
import { gatewaySchemas } from './gateway-schemas.ts'
import { openApi } from './openapi.ts'

/** openapi.json for a version of the product. */
export const publishedText = (version: string): string =>
  `${JSON.stringify(openApi(version, allEndpoints()), null, 2)}\n`

/** gateway.json for a version of the product. */
export const publishedGateway = (version: string): string =>
  `${JSON.stringify(gatewaySchemas(version), null, 2)}\n`

type Texts = Readonly<Record<string, string>>

/** refusals.json: English by code. */
export function publishedRefusals(texts: Texts = refusals): string {
  const sorted = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}

const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name as string)

/** Codes, and parameters of codes, of a published list that are missing in the table. */
export function brokenPromises(published: Texts, texts: Texts = refusals): string[] {
  return Object.entries(published).flatMap(([code, text]) => {
    const now = texts[code]
    if (now === undefined) return [code]
    return places(text).flatMap((name) => (places(now).includes(name) ? [] : [`${code} {{${name}}}`]))
  })
}
