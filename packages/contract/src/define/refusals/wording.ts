// The rules for the wording of refusals, in every language. The tests of the English and of the Spanish texts hold each to it.
//
// 1. A text is one sentence or several: it begins with a capital and ends with a full stop. It may begin with a
//    figure, or with a name as it is.
// 2. Two kinds have no full stop: a text that only states the requirement of a field ("Must …", whose subject is the name of the
//    field above it), and what the specification gives word for word.
// 3. The message of another program is in parentheses, before the full stop.
// 4. Where a field cannot be named in `fields`, its name and a colon come first: `registrationKey: There is no …`.
//
// Texts that only programs and logs read (settings at the start, the gateway, media doors) are not in this table. There the
// name begins the sentence, small and without a full stop: `HUB_PORT: must be …`, `offer: must be SDP`.
import type { RefusalCode } from '../refusals.ts'
import { refusals } from './all.ts'

/** The texts of the specification, with the row of each. It quotes them, or lists them as the message of a field. */
export const wordForWord: { readonly [C in RefusalCode]?: string } = {
  'field.invalid': 'VA-MSG-01',
  'field.required': 'VA-MSG-02',
  'name.notUnique': 'VA-MSG-03',
  'field.notUnique': 'VA-MSG-04',
  'number.required': 'VA-MSG-13',
  'address.ip': 'VA-MSG-14',
  'address.subnetMask': 'VA-MSG-15',
  'inventory.ownParent': 'VA-MSG-17',
  'address.email': 'VA-USER-10',
  'story.sluglineMissing': 'VA-UNIT-08',
  'ingest.fileType': 'VA-UNIT-12',
  'ingest.wrongPassword': 'VA-UNIT-14',
  'system.internalError': 'ER-HTTP-03',
  'system.gridError': 'ER-HTTP-09',
  'system.error': 'ER-HTTP-10',
  'system.contactSupport': 'ER-HTTP-11',
  'feature.disabled': 'ER-HTTP-12',
  'system.websocketError': 'ER-HTTP-14',
  'role.noAccess': 'ER-UNIT-39',
  'role.notAllowed': 'ER-UNIT-40',
  'server.channelBusy': 'ER-DELSRV-01',
  'server.channelSharing': 'ER-DELSRV-02',
  'server.channelStreaming': 'ER-DELSRV-03',
  'server.recording': 'ER-DELSRV-04',
}

/** A parameter that holds the words of another program and is outside parentheses. */
const bare = /(?<!\()\{\{(?:error|message|reason)\}\}|\{\{(?:error|message|reason)\}\}(?!\))/

/** The fault of the text of a code in any language, or undefined. */
export function wordingFault(code: RefusalCode, text: string): string | undefined {
  const isOpen = code in wordForWord || refusals[code].startsWith('Must ')
  const finished = text.replaceAll(/\{\{\w+\}\}/g, 'X-1')
  if (!/^(?:[a-z]\w*: )?[\p{Lu}\p{N}]/u.test(finished)) return `${code}: must begin with a capital`
  if (isOpen && text.endsWith('.')) return `${code}: must have no full stop`
  if (!isOpen && !/[^.]\.$/.test(finished)) return `${code}: must end with a full stop`
  if (bare.test(text)) return `${code}: must have the words of another program in parentheses`
  return undefined
}
