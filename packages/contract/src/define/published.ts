import { allEndpoints } from '../api/api.ts'
import { openApi } from './openapi.ts'

/** The text of published/openapi.json as the table of endpoints says it now, for a version of the product. */
export const publishedText = (version: string): string =>
  `${JSON.stringify(openApi(version, allEndpoints()), null, 2)}\n`
