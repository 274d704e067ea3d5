// How a call of the contract names the thing that it is about.
export type Noun =
  | 'unit'
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

export interface Naming {
  noun: Noun
  in: 'params' | 'query' | 'body'
  name: string
  /** What else a well-formed request has. */
  rest?: { params?: object; query?: object; body?: unknown }
  /** The parameter that names a unit of the group. */
  unit?: string
  /** The parameter that names a channel of the group. */
  channel?: string
  /** The parameter that names the customer of the thing. */
  inventory?: string
}

export const of = (noun: Noun, name = 'id', rest: Naming['rest'] = {}): Naming => ({
  noun,
  in: 'params',
  name,
  rest,
})
