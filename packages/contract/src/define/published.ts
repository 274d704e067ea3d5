/** The text of published/openapi.json as the table of endpoints says it now. */
import { allEndpoints } from '../api/api.ts'
import { openApi } from './openapi.ts'

export const CONTRACT_VERSION = '0.1.0'

export const publishedText = (): string =>
  `${JSON.stringify(openApi(CONTRACT_VERSION, allEndpoints()), null, 2)}\n`
