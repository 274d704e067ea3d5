// The English words of the list of units and the frame around it.
import previews from './previews.json' with { type: 'json' }
import servers from './servers.json' with { type: 'json' }
import units from './units.json' with { type: 'json' }

export const list = { units, servers, previews } as const
