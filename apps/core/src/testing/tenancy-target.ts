// The parameters by which a call of the contract names its object.
export type Noun =
  | 'unit'
  | 'smartUnit'
  | 'p2p'
  | 'channel'
  | 'inputChannel'
  | 'vrChannel'
  | 'vrServer'
  | 'server'
  | 'ingestServer'
  | 'group'
  | 'inventory'
  | 'user'
  | 'profile'
  | 'apiKey'
  | 'approval'
  | 'deviceLog'
  | 'publisher'
  | 'subscriber'
  | 'folder'
  | 'file'
  | 'room'
  | 'overlay'
  | 'fileTarget'
  | 'fileSending'

export interface RequestTarget {
  noun: Noun
  in: 'params' | 'query' | 'body'
  name: string
  /** The other parts of a well-formed request. */
  rest?: { params?: object; query?: object; body?: unknown }
  /** The parameter that names a unit of the group. */
  unit?: string
  /** The parameter that names a channel of the group. */
  channel?: string
  /** The parameter that names the customer of the object. */
  inventory?: string
}

export const target = (noun: Noun, name = 'id', rest: RequestTarget['rest'] = {}): RequestTarget => ({
  noun,
  in: 'params',
  name,
  rest,
})
