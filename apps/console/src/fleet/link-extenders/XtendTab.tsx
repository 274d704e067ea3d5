// Xtend mode: whether the unit sends over its link extenders too, and its report on them (GAP-UNIT-13).
import { linkExtenders as calls } from '@backhaul/contract/api/link-extenders'
import type { Unit } from '@backhaul/contract/nouns/units'
import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { Facts } from '../../ui/Facts.tsx'
import { configure, useConfiguration } from '../unit-settings/unit-settings.ts'
import styles from './link-extenders.module.css'

interface XtendTabProps {
  unit: Unit
  mayOperate: boolean
  mayAdminister: boolean
}

export function XtendTab({ unit, mayOperate, mayAdminister }: XtendTabProps) {
  const { t } = useTranslation('linkExtenders')
  const act = useAct()
  const { data, again } = useConfiguration(unit.uid)
  const { settings, unconfirmed } = data?.configuration ?? {}
  const closed = mayOperate
    ? settings && settings.xtend === undefined
      ? reasonText('unitSetting.unsupported')
      : undefined
    : reasonText('role.notAllowed')
  const isRelaying = unit.applications?.xtenderRelay !== undefined
  const onOff = (isOn: boolean) => t(isOn ? 'on' : 'off')
  const set = (xtend: boolean) =>
    act.run(async () => {
      const fault = await configure(unit.uid, { xtend })
      await again()
      return fault
    })
  return (
    <section className={styles.xtend} aria-label={t('title')}>
      <p className="quiet">{t('hint')}</p>
      <Switch
        label={t('switch')}
        description={unconfirmed?.includes('xtend') ? t('waiting') : undefined}
        error={act.words}
        {...disabledBecause(closed)}
        checked={settings?.xtend ?? false}
        onChange={({ currentTarget }) => void set(currentTarget.checked)}
      />
      <Facts
        facts={[
          [t('relay'), onOff(isRelaying)],
          [t('extender'), t(unit.hasExtender ? 'inUse' : 'notInUse')],
        ]}
      />
      {/* Read again when the unit begins or ends to use them. */}
      {mayAdminister ? <Paired key={String(isRelaying)} uid={unit.uid} /> : null}
    </section>
  )
}

/** Paired extenders, for users who pair them. */
function Paired({ uid }: { uid: string }) {
  const { t } = useTranslation('linkExtenders')
  const { data: paired } = useRead(calls.ofUnit, { params: { id: uid } })
  if (!paired) return null
  if (paired.length === 0) return <p className="quiet">{t('none')}</p>
  return <Facts facts={paired.map(({ serialNumber, state }) => [serialNumber, t(`state.${state}`)])} />
}
