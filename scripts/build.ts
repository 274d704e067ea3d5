// `npm run build`: builds the console as `npm start` does.
import { buildConsole } from './console-build.ts'
import { repository } from './places.ts'

await buildConsole(repository)
