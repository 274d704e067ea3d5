// The console: texts, theme and router, then everything else.
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import '@mantine/core/styles.layer.css'
import '../ui/tokens.css'
import '../ui/chrome.css'
import '../ui/gauges.css'
import './shell.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../texts/texts.ts'
import { TooltipLayer } from '../ui/TooltipLayer.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import { Toasts } from '../ui/toasts.tsx'
import { router } from './router.tsx'

startTexts()

/** Reads are repeated by age or by the operator, never by a hidden timer. */
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="dark">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Toasts />
      <TooltipLayer />
    </MantineProvider>
  </StrictMode>,
)
