import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

const HistoryPage = loaded(async () => (await import('./HistoryPage.tsx')).HistoryPage)

const kinds = ['group', 'inventory'] as const

export const deviceHistoryScreens: readonly Screen[] = kinds.map((kind) => ({
  path: `/psg/system_settings/history_device_${kind}`,
  guard: 'psg',
  component: () => <HistoryPage key={kind} kind={kind} />,
  under: 'systemSettings',
}))
