import type { UnitConfiguration } from '@backhaul/contract/api/units'
import {
  type Capping,
  cappingOptions,
  type LinkShare,
  leastCostModes,
  linkModes,
  linkPriorities,
} from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { decimal } from '../../ui/locale.ts'
import { LinkSwitches } from '../unit-networks/LinkSwitches.tsx'
import { FixedInternetDelay } from './FixedInternetDelay.tsx'
import { Choice, Limit, type SettingForm } from './setting-fields.tsx'
import styles from './unit-settings.module.css'

const limits = ['totalLimitKbps', 'cellularLimitKbps', 'cameraLimitKbps'] as const
const cappings = ['totalCapping', 'cellularCapping'] as const

interface LinksOfForm {
  form: SettingForm
  /** Links of the unit by port. */
  links: ReadonlyMap<string, string>
}

interface NetworkTabProps extends LinksOfForm {
  unit: Unit
  configuration: UnitConfiguration
  onSaved: () => Promise<unknown>
}

/** Bitrate limits: the unit's own, and cappings of the network; the lower one counts. */
export function NetworkTab({ form, links, unit, configuration, onSaved }: NetworkTabProps) {
  const { t } = useTranslation('unitSettings')
  return (
    <>
      <LinkSwitches unit={unit} onChanged={onSaved} />
      <div className={styles.settingPair}>
        <Choice
          form={form}
          name="linkMode"
          choices={linkModes.map((value) => ({ value, label: t(`linkModes.${value}`) }))}
        />
        <FixedInternetDelay
          uid={unit.uid}
          configuration={configuration}
          closed={form.whyClosed('linkMode')}
          onSaved={onSaved}
        />
      </div>
      <p className="quiet">{t('hint.limits')}</p>
      <div className={styles.settingPair}>
        {limits.map((name) => (
          <Limit key={name} form={form} name={name} />
        ))}
      </div>
      <Bonding form={form} links={links} />
      {cappings.map((name) => (
        <CappingField key={name} form={form} name={name} />
      ))}
    </>
  )
}

function CappingField({ form, name }: { form: SettingForm; name: (typeof cappings)[number] }) {
  const { t } = useTranslation('unitSettings')
  const capping: Capping = form.settings[name] ?? { option: 'disabled', customMbps: null }
  const closed = disabledBecause(form.whyClosed(name))
  const set = (next: Capping) => form.set({ [name]: next })
  return (
    <div className={styles.settingPair}>
      <NativeSelect
        label={t(`setting.${name}`)}
        error={form.fault(name)}
        {...closed}
        data={cappingOptions.map((option) => ({
          value: String(option),
          label: typeof option === 'number' ? `${decimal(option, 1)} Mbps` : t(`capping.${option}`),
        }))}
        value={String(capping.option)}
        onChange={({ currentTarget }) => {
          const option = cappingOptions.find((one) => String(one) === currentTarget.value)
          if (option !== undefined) set({ option, customMbps: option === 'custom' ? 5 : null })
        }}
      />
      {capping.option === 'custom' ? (
        <NumberInput
          label={t('customMbps')}
          error={form.fault(`${name}.customMbps`)}
          {...closed}
          suffix=" Mbps"
          min={1}
          max={20}
          step={0.1}
          decimalScale={1}
          value={capping.customMbps ?? ''}
          onChange={(value) => set({ option: 'custom', customMbps: value === '' ? null : Number(value) })}
        />
      ) : null}
    </div>
  )
}

const modeKeys = {
  disabled: 'disabled',
  'modems first': 'modemsFirst',
  'ETH/Wi-Fi first': 'ethernetFirst',
  'per interface priority': 'perInterface',
} as const

/** Order in which links are filled; ranks of their own only where that is the mode. */
function Bonding({ form, links }: LinksOfForm) {
  const { t } = useTranslation('unitSettings')
  const shares = form.settings.links ?? {}
  const isRanked = form.settings.leastCostBonding === 'per interface priority'
  const set = (port: string, share: LinkShare) => form.set({ links: { ...shares, [port]: share } })
  return (
    <>
      <div className={styles.settingPair}>
        <Choice
          form={form}
          name="leastCostBonding"
          choices={leastCostModes.map((value) => ({ value, label: t(`leastCost.${modeKeys[value]}`) }))}
        />
      </div>
      {isRanked
        ? Object.entries(shares).map(([port, share]) => (
            <Rank
              key={port}
              form={form}
              name={links.get(port) ?? port}
              port={port}
              share={share}
              onShare={(next) => set(port, next)}
            />
          ))
        : null}
    </>
  )
}

interface RankProps {
  form: SettingForm
  name: string
  port: string
  share: LinkShare
  onShare: (share: LinkShare) => void
}

function Rank({ form, name, port, share, onShare }: RankProps) {
  const { t } = useTranslation('unitSettings')
  const closed = disabledBecause(form.whyClosed('links'))
  return (
    <div className={styles.settingPair}>
      <NativeSelect
        label={t('priorityOf', { name })}
        {...closed}
        data={linkPriorities.map((value) => ({ value: String(value), label: t(`priority.${value}`) }))}
        value={String(share.priority)}
        onChange={({ currentTarget }) => {
          const priority = linkPriorities.find((one) => String(one) === currentTarget.value)
          if (priority !== undefined) onShare({ ...share, priority })
        }}
      />
      <NumberInput
        label={t('limitOf', { name })}
        error={form.fault(`links.${port}.limitKbps`)}
        {...closed}
        suffix=" kbps"
        min={0}
        step={500}
        allowDecimal={false}
        clampBehavior="none"
        value={share.limitKbps}
        onChange={(value) => onShare({ ...share, limitKbps: Number(value) })}
      />
    </div>
  )
}
