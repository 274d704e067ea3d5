// Reads TSL UMD 3.1 and 5.0, by which vision mixers and tally systems control the displays under monitors.

/** A display, or every display of the sender. */
export type DisplayAddress = number | 'all'

export interface DisplayState {
  readonly address: DisplayAddress
  /** The lamp that means on air is on. */
  readonly isOn: boolean
}

/** Version 3.1 has four lamps without a colour; in 5.0 the red ones mean on air. */
export type TallyLamp = 1 | 2 | 3 | 4

/** A datagram of 5.0 has at most this many bytes; 3.1 sends 18 for each display. */
const longestDatagram = 2048
export const highestAddress = 65_534

const oldMessageBytes = 18
const highestOldAddress = 126
const everyDisplay = 0xff_ff
/** Byte count, version, flags, screen. */
const newHeaderBytes = 6
/** Index, control, length of the text. */
const displayHeaderBytes = 6
const hasScreenControl = 0b10
const isControlData = 0x80_00
/** Red, or amber, which is red and green: of the right lamp, of the text, of the left lamp. */
const redOfAnyLamp = 0b01_01_01

/** The displays in the order in which they are set; undefined for a datagram that is of neither version. */
export function readTslUmd(datagram: Uint8Array, lamp: TallyLamp): DisplayState[] | undefined {
  if (datagram.length > longestDatagram) return undefined
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength)
  return isVersion5(view) ? readVersion5(view) : readVersion3(view, lamp)
}

/** The byte count does not count itself. A message of 3.1 of this length begins with another byte. */
const isVersion5 = (view: DataView) =>
  view.byteLength >= newHeaderBytes &&
  view.getUint16(0, true) === view.byteLength - 2 &&
  view.getUint8(2) === 0

/** The number of the screen is not considered: the sender decides which screens it sends here. */
function readVersion5(view: DataView): DisplayState[] | undefined {
  const states: DisplayState[] = []
  if (view.getUint8(3) & hasScreenControl) return states
  for (let at = newHeaderBytes; at < view.byteLength; ) {
    if (at + displayHeaderBytes > view.byteLength) return undefined
    const index = view.getUint16(at, true)
    const control = view.getUint16(at + 2, true)
    // In its place may be control data, whose form is not defined and which ends the message.
    if (control & isControlData) return states
    const next = at + displayHeaderBytes + view.getUint16(at + 4, true)
    if (next > view.byteLength) return undefined
    states.push({
      address: index === everyDisplay ? 'all' : index,
      isOn: (control & redOfAnyLamp) !== 0,
    })
    at = next
  }
  return states
}

/** One or more messages: address with the highest bit, control, 16 characters. */
function readVersion3(view: DataView, lamp: TallyLamp): DisplayState[] | undefined {
  if (view.byteLength === 0 || view.byteLength % oldMessageBytes !== 0) return undefined
  const states: DisplayState[] = []
  for (let at = 0; at < view.byteLength; at += oldMessageBytes) {
    const address = view.getUint8(at) - 0x80
    const control = view.getUint8(at + 1)
    if (address < 0 || address > highestOldAddress || control >= 0x80) return undefined
    states.push({ address, isOn: (control & (1 << (lamp - 1))) !== 0 })
  }
  return states
}
