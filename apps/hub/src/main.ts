// Starts the hub: the version that was installed last, or this one.
import { startNewest } from '@backhaul/runtime/start-newest'
import { hubDataFolder } from './data-folder.ts'

await startNewest(hubDataFolder(process.env), () => import('./hub-program.ts'))
