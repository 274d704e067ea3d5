/** Builds a page of the benchmarks as the console is built, and puts it on core's own origin in one browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { build } from 'vite'

/** The page's one script, in memory. */
export async function bundle(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    mode: 'production',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: join(import.meta.dirname, `${name}.jsx`),
        output: { codeSplitting: false },
      },
    },
  })
  const [first] = [built].flat()
  if (!first || !('output' in first)) throw new Error(`${name} could not be built`)
  return first.output[0].code
}

/**
 * Serves `bench/pages/<name>.jsx` at `<origin>/bench/<name>`: same origin and sign-in as the console, so the same calls
 * and sockets work there, without the page being a part of the product.
 */
export async function servePage(context: BrowserContext, origin: string, name: string): Promise<string> {
  const script = await bundle(name)
  const url = `${origin}/bench/${name}`
  // The browser does not see that the page comes from this machine, as the sockets that it opens do.
  await context.grantPermissions(['local-network-access'], { origin })
  const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')
  await context.route(`${url}.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  await context.route(
    (address) => address.href.split('?')[0] === url,
    (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>${name}</title><style>${style}</style><div id="root"></div><script type="module" src="${url}.js"></script>`,
      }),
  )
  return url
}

/** Signs the browser in with the cookies of a user. */
export async function takeCookies(context: BrowserContext, url: string, cookie: string): Promise<void> {
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
    }),
  )
}
