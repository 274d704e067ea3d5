// The console: texts, theme and router, then everything else.
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import '@mantine/core/styles.layer.css'
import '../ui/tokens.css'
import '../ui/chrome.css'
import '../ui/gauges.css'
import './shell.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../texts/texts.ts'
import { TooltipLayer } from '../ui/TooltipLayer.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import { Toasts } from '../ui/toasts.tsx'
import { router } from './router.tsx'

startTexts()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="dark">
      <RouterProvider router={router} />
      <Toasts />
      <TooltipLayer />
    </MantineProvider>
  </StrictMode>,
)
