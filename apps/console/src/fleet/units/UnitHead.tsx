// The head of a unit wherever it is shown, with the actions that the user may carry out.
import { isOffline } from '@backhaul/contract/nouns/unit-status'
import { IconPencil, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { askForConfiguration } from '../unit-settings/unit-settings.ts'
import { askToEdit } from './asked.ts'
import { labelKeys, labelOf, lookOf } from './unit-presentation.ts'
import type { LiveUnit } from './units-live.ts'

/** Empty for users who may only watch. */
export function RenameButton({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  if (!useMay('operateUnits')) return null
  return (
    <button
      type="button"
      className="plain-button icon-button"
      aria-label={t('menu.rename')}
      data-tip={`${t('menu.rename')} (F2)`}
      onClick={() => askToEdit(unit.uid, 'name')}
    >
      <IconPencil size={15} />
    </button>
  )
}

/** Users who may only watch view the settings in it. */
export function ConfigureButton({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  return (
    <button
      type="button"
      className="plain-button icon-button"
      aria-label={t('menu.configure')}
      data-tip={t('menu.configure')}
      onClick={() => askForConfiguration(unit)}
    >
      <IconSettings size={16} />
    </button>
  )
}

/** The status in shape, colour and word; of a unit that is silent, the last one that is known. */
export function UnitStatus({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const { shape, tone } = lookOf(unit)
  const silent = unit.stale && !isOffline(unit)
  return (
    <>
      <StatusGlyph shape={silent ? 'questionRing' : shape} tone={silent ? 'offline' : tone} />
      <strong>{t(labelKeys[labelOf(unit)])}</strong>
    </>
  )
}
