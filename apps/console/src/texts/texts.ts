// All words of the interface, by key: one file a feature and language.
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import alerts from './en/alerts.json' with { type: 'json' }
import app from './en/app.json' with { type: 'json' }
import groups from './en/groups.json' with { type: 'json' }
import inventories from './en/inventories.json' with { type: 'json' }
import multiview from './en/multiview.json' with { type: 'json' }
import outbox from './en/outbox.json' with { type: 'json' }
import previews from './en/previews.json' with { type: 'json' }
import servers from './en/servers.json' with { type: 'json' }
import signIn from './en/sign-in.json' with { type: 'json' }
import ui from './en/ui.json' with { type: 'json' }
import units from './en/units.json' with { type: 'json' }
import users from './en/users.json' with { type: 'json' }

export const english = {
  app,
  ui,
  signIn,
  groups,
  inventories,
  alerts,
  servers,
  previews,
  units,
  users,
  multiview,
  outbox,
} as const

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: typeof english
  }
}

export function startTexts(): void {
  void i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: english },
    defaultNS: 'app',
    interpolation: { escapeValue: false },
    returnNull: false,
  })
}
