import { databridge as calls } from '@backhaul/contract/api/databridge'
import { DATABRIDGE_PORTS_MAX, DatabridgePort, DatabridgePorts } from '@backhaul/contract/nouns/databridge'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import styles from './databridge.module.css'

interface PortsFormProps {
  unit: Unit
  ports: readonly DatabridgePort[]
  closed: string | undefined
  onSaved: () => Promise<unknown>
}

const Ports = z.object({ ports: DatabridgePorts })
const protocols = DatabridgePort.shape.protocol.options
const newPort: DatabridgePort = { protocol: 'tcp', port: 8080, host: '', hostPort: 80 }

/** Target of each port of the unit behind the gateway. */
export function PortsForm({ unit, ports, closed, onSaved }: PortsFormProps) {
  const { t } = useTranslation('databridge')
  const record = useRecordForm({
    start: () => ({ ports: [...ports] }),
    schema: Ports,
    title: t('incomplete'),
    async save(body) {
      await call(calls.set, { params: { id: unit.uid }, body })
      await onSaved()
      return undefined
    },
  })
  const now = record.values.ports
  const isSame = JSON.stringify(now) === JSON.stringify(ports)
  const isClosed = closed !== undefined || record.busy
  const fault = record.faults.ports ?? record.unplaced
  const change = (at: number, changes: Partial<DatabridgePort>) =>
    record.set({ ports: now.map((one, place) => (place === at ? { ...one, ...changes } : one)) })
  return (
    <fieldset>
      <legend>{t('ports')}</legend>
      {now.length === 0 ? <p className="quiet">{t('noPorts')}</p> : null}
      {now.map((one, at) => {
        const place = `ports.${at}`
        return (
          <PortFields
            key={place}
            port={one}
            closed={closed}
            fault={(field) => record.faults[`${place}.${field}`]}
            onChange={(changes) => change(at, changes)}
            onRemove={() => record.set({ ports: now.toSpliced(at, 1) })}
          />
        )
      })}
      {fault === undefined ? null : <p className="text-critical">{fault}</p>}
      <p className={styles.databridgeButtons}>
        <button
          type="button"
          className="plain-button"
          aria-disabled={isClosed || now.length >= DATABRIDGE_PORTS_MAX}
          data-tip={closed}
          onClick={() =>
            !isClosed && now.length < DATABRIDGE_PORTS_MAX && record.set({ ports: [...now, newPort] })
          }
        >
          {t('addPort')}
        </button>
        <button
          type="button"
          className="plain-button primary"
          aria-disabled={isClosed || isSame}
          data-tip={closed}
          onClick={() => !isClosed && !isSame && void record.save()}
        >
          {t('save')}
        </button>
      </p>
    </fieldset>
  )
}

interface PortFieldsProps {
  port: DatabridgePort
  closed: string | undefined
  fault: (field: keyof DatabridgePort) => string | undefined
  onChange: (changes: Partial<DatabridgePort>) => void
  onRemove: () => void
}

function PortFields({ port, closed, fault, onChange, onRemove }: PortFieldsProps) {
  const { t } = useTranslation('databridge')
  const number = (field: 'port' | 'hostPort') => (
    <NumberInput
      label={t(field)}
      error={fault(field)}
      {...disabledBecause(closed)}
      allowDecimal={false}
      hideControls
      clampBehavior="none"
      value={port[field]}
      onChange={(value) => onChange({ [field]: Number(value) })}
    />
  )
  return (
    <div className={styles.databridgePort}>
      <NativeSelect
        label={t('protocol')}
        {...disabledBecause(closed)}
        data={protocols.map((value) => ({ value, label: t(`protocols.${value}`) }))}
        value={port.protocol}
        onChange={({ currentTarget }) =>
          onChange({ protocol: currentTarget.value === 'udp' ? 'udp' : 'tcp' })
        }
      />
      {number('port')}
      <TextInput
        label={t('host')}
        error={fault('host')}
        {...disabledBecause(closed)}
        value={port.host}
        onChange={({ currentTarget }) => onChange({ host: currentTarget.value })}
      />
      {number('hostPort')}
      <button
        type="button"
        className="plain-button"
        aria-label={t('removePort', { port: port.port })}
        data-tip={closed ?? t('removePort', { port: port.port })}
        aria-disabled={closed !== undefined}
        onClick={() => closed === undefined && onRemove()}
      >
        ×
      </button>
    </div>
  )
}
