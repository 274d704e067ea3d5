// The console: texts, theme and router, then everything else.
import '@backhaul/contract/define/no-eval'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import '../ui/kit-base.ts'
import '../ui/tokens.css'
import '../ui/chrome.css'
import '../ui/gauges.css'
import './shell.css'
import './narrow.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../texts/texts.ts'
import { languageOfBrowser } from '../ui/language-of-browser.ts'
import { TooltipLayer } from '../ui/TooltipLayer.tsx'
import { AppTheme } from './AppTheme.tsx'
import { router } from './router.tsx'

/** Nothing until the first page is loaded; then all of it is drawn in one pass, whose effects follow its paint. */
function Pages({ loading }: { loading: Promise<void> }) {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => void loading.finally(() => setLoaded(true)), [loading])
  useLayoutEffect(() => {
    const { resolvedLocation } = router.state
    // The pages subscribe to the address when they are mounted; what changed it before that is loaded here.
    if (isLoaded && resolvedLocation?.href !== router.latestLocation.href) void router.load()
  }, [isLoaded])
  return isLoaded ? <RouterProvider router={router} /> : null
}

function show(): void {
  // The router's own start would draw an empty page first, and then the first one in slices between other work. A page that
  // cannot be loaded has an error in its place.
  const loading = router.load({ sync: true })
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <AppTheme>
        <Pages loading={loading} />
        <TooltipLayer />
      </AppTheme>
    </StrictMode>,
  )
}

// English is shown if the texts of a language cannot be fetched. Not awaited: the packer makes more files of a module that waits.
void startTexts(languageOfBrowser())
  .catch(() => {})
  .then(show)
