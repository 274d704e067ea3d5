/** Generic texts of the specification, used word for word on both sides (VA-MSG, ER-HTTP, ER-UNIT rows). */

export const texts = {
  invalid: 'Invalid field',
  required: 'This field is required',
  nameNotUnique: 'Name field has to be unique',
  notUnique: 'This field must be unique',
  pattern: 'Must match the pattern',
  atLeast: 'Must have at least {0} characters',
  orMore: 'Must be {0} or more',
  orLess: 'Must be {0} or less',
  atMost: 'Must have at most {0} characters',
  between: 'Must be between {0} and {1} characters',
  digits: 'Must only contain numeric characters',
  integer: 'Must be an integer',
  number: 'Must be a number',
  numericRequired: 'Numeric value is required',
  ip: 'Invalid IP field',
  subnetMask: 'Invalid Subnet Mask field',
  nameTaken: 'Name is already taken. Please select a different name.',
  nameTooLong: 'Must be no more than 255 characters',
  email: 'Invalid email format',
  selectAtMost: 'Select at most {0} items',
  notForUserType: 'Not available for your user type',
  notAllowed: 'You are not allowed to access this application',
  generic: 'Generic Error',
  contactSupport: 'Please contact support',
  featureDisabled: 'Feature disabled',
  gridError: 'Items cannot be displayed',
  internalError: 'Internal Error',
  websocketError: 'Websocket Error',
  channelBusyOrOffline: 'Selected channel is busy or offline',
  videoLicence: 'Unit video license is invalid.',
  notUnderSla: 'Unit not under SLA.',
  sendLogsOnly: 'Send logs only when the unit is online and not transmitting',
  configurationNotSent: 'Configuration not sent, retry',
  partialAccess: 'Partial access',
  channelWithout4K: 'Channel does not support 4K.',
  unitWithout4K: 'Unit has no PRO-4K license.',
  channelWithoutSmpte: 'Channel has no SMPTE configuration.',
  serverWithoutSmpte: 'The server cannot put out SMPTE 2110.',
  multicast: 'Must be a multicast address',
  streamTaken: 'Channel {0} is put out to this address and port',
} as const

/** Fills {0}, {1} … of a text with `params`. */
export function fill(text: string, params: readonly (string | number)[] = []): string {
  return text.replace(/\{(\d+)\}/g, (whole, index: string) => String(params[Number(index)] ?? whole))
}
