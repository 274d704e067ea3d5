// /psg/system_settings/ai_settings: the providers that AI sessions may be started with.
import type { AiSettings } from '@backhaul/contract/nouns/ai'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { AiSettingsDialog } from './AiSettingsDialog.tsx'
import { allSettings, removeSettings } from './ai-settings.ts'

export function AiSettingsPage() {
  const { t } = useTranslation('ai')
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <EditedListScreen
      list={allSettings}
      gridId="aiSettings"
      exportName="ai-settings"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      form={(settings, more) => <AiSettingsDialog key={settings?.id} settings={settings} {...more} />}
      question={({ id, name }) => ({
        title: t('deleteTitle', { name }),
        text: t('deleteText'),
        run: () => removeSettings(id),
        done: { title: t('deleted'), text: name },
      })}
    />
  )
}

const byName = (a: AiSettings, b: AiSettings): number => compareTexts(a.name, b.name)

const searched = ({ name, model, endpoint }: AiSettings) => [name, model, endpoint]

function columnsOf(t: TFunction<'ai'>): readonly GridColumn<AiSettings>[] {
  return [
    textColumn('name', t('field.name'), 220, ({ name }) => name, { required: true }),
    textColumn('provider', t('field.provider'), 220, ({ provider }) => t(`provider.${provider}`)),
    textColumn('endpoint', t('field.endpoint'), 320, ({ endpoint }) => endpoint),
    textColumn('model', t('field.model'), 160, ({ model }) => model),
    textColumn('secret', t('field.secret'), 120, ({ hasSecret }) => (hasSecret ? t('hasSecret') : '')),
  ]
}
