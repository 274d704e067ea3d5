// Starts the agent: the version that was installed last, or this one.
import { startNewest } from '@backhaul/runtime/start-newest'
import { agentDataFolder } from './data-folder.ts'

await startNewest(agentDataFolder(process.argv.slice(2), process.env), () => import('./agent.ts'))
