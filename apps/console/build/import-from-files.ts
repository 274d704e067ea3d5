// Imports from the index of a large package become imports from the files that declare the names.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const packages = ['@mantine/core', '@mantine/hooks', '@mantine/notifications', '@tabler/icons-react']

interface Place {
  /** A file of the package, or another package. */
  from: string
  /** The name of the import in that file. */
  name: string
}

const nameAndAlias = (text: string): [name: string, alias: string] => {
  const [name = '', alias = name] = text.trim().split(/\s+as\s+/)
  return [name, alias]
}

/** The places that an index takes its names from. */
function placesOf(index: string): Map<string, Place> {
  const taken = readFileSync(index, 'utf8').matchAll(/(?:im|ex)port \{([^}]*)\} from ["']([^"']+)["']/g)
  return new Map(
    [...taken].flatMap(([, names = '', path = '']) =>
      names.split(',').map((text): [string, Place] => {
        const [name, alias] = nameAndAlias(text)
        return [alias, { name, from: path.startsWith('.') ? join(dirname(index), path) : path }]
      }),
    ),
  )
}

/**
 * An index imports all of its package, so all of it that any page uses would count as needed by the first page
 * (see chunks in vite.config.ts). It holds for the build alone: in development packages are prepared as a whole.
 */
export function importFromFiles(): Plugin {
  const places = new Map<string, Map<string, Place>>()
  return {
    name: 'import-from-files',
    apply: 'build',
    async buildStart() {
      for (const name of packages) {
        const index = await this.resolve(name, join(import.meta.dirname, '../src/app/main.tsx'))
        if (index) places.set(name, placesOf(index.id))
      }
    },
    // The kit's own further packages import it as a whole too.
    transform(code, id) {
      if (!packages.some((name) => code.includes(name))) return undefined
      const direct = code.replace(
        /^import \{([^}]*)\} from ["']([^"'.][^"']*)["'];?/gm,
        (whole, names: string, from: string) => {
          const known = places.get(from)
          if (!known) return whole
          return names
            .split(',')
            .map((text) => {
              const [name, alias] = nameAndAlias(text)
              const place = known.get(name)
              if (!place) throw new Error(`${from} has no ${name}, which ${id} imports`)
              return `import { ${place.name} as ${alias} } from ${JSON.stringify(place.from)};`
            })
            .join(' ')
        },
      )
      return direct === code ? undefined : { code: direct, map: null }
    },
  }
}
