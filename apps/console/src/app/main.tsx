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
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../texts/texts.ts'
import { languageOfBrowser } from '../ui/language-of-browser.ts'
import { TooltipLayer } from '../ui/TooltipLayer.tsx'
import { AppTheme } from './AppTheme.tsx'
import { router } from './router.tsx'

function show(): void {
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <AppTheme>
        <RouterProvider router={router} />
        <TooltipLayer />
      </AppTheme>
    </StrictMode>,
  )
}

// English is shown if the texts of a language cannot be fetched. Not awaited: the packer makes more files of a module that waits.
void startTexts(languageOfBrowser())
  .catch(() => {})
  .then(show)
