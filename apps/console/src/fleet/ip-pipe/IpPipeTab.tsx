// The IP pipe of a unit: its connection, and the server and network that it leads into.
import { ipPipe as calls, type IpPipeServer } from '@backhaul/contract/api/ip-pipe'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { IP_PIPE_PORT, type IpPipeSettings, type IpPipeState } from '@backhaul/contract/nouns/ip-pipe'
import { ipPipeFault, ipPipeRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { Facts } from '../../ui/Facts.tsx'
import { RunButton } from '../../ui/RunButton.tsx'
import styles from './ip-pipe.module.css'
import { usePipeChoices, usePipedUnit } from './ip-pipe.ts'

interface IpPipeTabProps {
  /** The unit as the dialog has read it. */
  unit: Unit
  saved: IpPipeSettings | null
  /** Saved with the rest of the configuration. */
  typed: IpPipeSettings | undefined
  onTyped: (typed: IpPipeSettings) => void
  fault: (field: keyof IpPipeSettings) => string | undefined
  mayWrite: boolean
}

const nothing: IpPipeSettings = {
  serverId: '',
  channel: '',
  port: IP_PIPE_PORT,
  interface: '',
  description: '',
}

export function IpPipeTab({ unit: read, saved, typed, onTyped, fault, mayWrite }: IpPipeTabProps) {
  const { t } = useTranslation('ipPipe')
  const { unit, again } = usePipedUnit(read)
  const able = unit.capabilities.ipPipe === true ? undefined : reasonText('ipPipe.notBuiltIn')
  const closed = mayWrite ? able : reasonText('role.notAllowed')
  const active = ipPipeFault(unit)
  const values = typed ?? saved ?? nothing
  return (
    <>
      <p className="quiet">{t('hint')}</p>
      <Connection unit={unit} settings={saved} closed={closed} onChange={again} />
      <SettingsFields
        unit={unit}
        values={values}
        set={(changes) => onTyped({ ...values, ...changes })}
        fault={fault}
        closed={closed ?? (active && reasonText(active))}
      />
    </>
  )
}

interface ConnectionProps {
  unit: Unit
  settings: IpPipeSettings | null
  /** Why the user cannot. */
  closed: string | undefined
  onChange: () => Promise<unknown>
}

const runState: Readonly<Record<IpPipeState, 'start' | 'stop' | 'connecting' | 'disconnecting'>> = {
  'not connected': 'start',
  connecting: 'connecting',
  connected: 'stop',
  failed: 'stop',
  disconnecting: 'disconnecting',
}

const stateKeys = {
  'not connected': 'state.notConnected',
  connecting: 'state.connecting',
  connected: 'state.connected',
  failed: 'state.failed',
  disconnecting: 'state.disconnecting',
} as const satisfies Record<IpPipeState, string>

function Connection({ unit, settings, closed, onChange }: ConnectionProps) {
  const { t } = useTranslation('ipPipe')
  const act = useAct()
  const { state, reason: why } = unit.ipPipe
  const isWanted = state !== 'not connected'
  const refusal = isWanted ? undefined : ipPipeRefusal(unit, settings)
  const reason = closed ?? (refusal && reasonText(refusal))
  async function request(): Promise<undefined> {
    await call(isWanted ? calls.disconnect : calls.connect, { params: { id: unit.uid } })
    await onChange()
  }
  return (
    <div className={styles.ipPipeState}>
      <RunButton
        state={runState[state]}
        isClosed={reason !== undefined || act.busy || state === 'disconnecting'}
        size="big"
        tip={reason}
        onPress={() => void act.run(request)}
      >
        {t(isWanted ? 'disconnect' : 'connect')}
      </RunButton>
      <Facts
        facts={[
          [
            t('status'),
            <span key="state" role="status" data-state={state}>
              {t(stateKeys[state])}
            </span>,
          ],
          [t('why'), why === null ? null : givenReason(unit.ipPipe)],
        ]}
      />
      {reason === undefined ? null : <p className="quiet">{reason}</p>}
      {act.words === undefined ? null : <p className="text-critical">{act.words}</p>}
    </div>
  )
}

interface SettingsFieldsProps {
  unit: Unit
  values: IpPipeSettings
  set: (changes: Partial<IpPipeSettings>) => void
  fault: (field: keyof IpPipeSettings) => string | undefined
  closed: string | undefined
}

function SettingsFields({ unit, values, set, fault, closed }: SettingsFieldsProps) {
  const { t } = useTranslation('ipPipe')
  const choices = usePipeChoices(unit)
  const shut = disabledBecause(closed)
  const server = choices.servers?.find(({ deviceId }) => deviceId === values.serverId)
  /** The port of another server, and its first channel, are those of that server. */
  function choose(serverId: string): void {
    const next = choices.servers?.find(({ deviceId }) => deviceId === serverId)
    const [channel] = channelsOf(choices.channels, serverId)
    set({
      serverId,
      channel: channel?.uniqueId ?? '',
      port: next?.configuration.port ?? values.port,
      interface: '',
    })
  }
  return (
    <fieldset className={styles.ipPipeSettings}>
      <legend>{t('settings')}</legend>
      <div className={styles.ipPipeFields}>
        <NativeSelect
          label={t('server')}
          error={fault('serverId')}
          {...shut}
          data={[{ value: '', label: t('noServer') }, ...serverChoices(choices.servers, values.serverId)]}
          value={values.serverId}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <NativeSelect
          label={t('channel')}
          error={fault('channel')}
          {...shut}
          data={[
            ...(values.channel === '' ? [{ value: '', label: t('noChannel') }] : []),
            ...channelsOf(choices.channels, values.serverId).map(({ uniqueId, name }) => ({
              value: uniqueId,
              label: name,
            })),
          ]}
          value={values.channel}
          onChange={({ currentTarget }) => set({ channel: currentTarget.value })}
        />
        <NativeSelect
          label={t('interface')}
          error={fault('interface')}
          {...shut}
          data={interfaceChoices(server, values.interface, t('usual', { name: usualOf(server) }))}
          value={values.interface}
          onChange={({ currentTarget }) => set({ interface: currentTarget.value })}
        />
        <NumberInput
          label={t('port')}
          error={fault('port')}
          {...shut}
          allowDecimal={false}
          hideControls
          clampBehavior="none"
          value={values.port}
          onChange={(port) => set({ port: Number(port) })}
        />
      </div>
      <TextInput
        label={t('description')}
        error={fault('description')}
        {...shut}
        value={values.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      {choices.servers?.length === 0 ? <p className="quiet">{t('noServers')}</p> : null}
      {choices.errorText === undefined ? null : <p className="text-critical">{choices.errorText}</p>}
    </fieldset>
  )
}

const channelsOf = (all: readonly Channel[] | undefined, serverId: string): readonly Channel[] =>
  all?.filter((channel) => channel.serverId === serverId) ?? []

const usualOf = (server: IpPipeServer | undefined): string => server?.configuration.interface || '—'

/** A chosen server that is gone remains in the list. */
function serverChoices(servers: readonly IpPipeServer[] | undefined, chosen: string) {
  const found = servers?.map(({ deviceId, name }) => ({ value: deviceId, label: name })) ?? []
  const isKnown = chosen === '' || found.some(({ value }) => value === chosen)
  return isKnown ? found : [...found, { value: chosen, label: chosen }]
}

function interfaceChoices(server: IpPipeServer | undefined, chosen: string, usual: string) {
  const names = new Set([...(server?.ethernets.map(({ name }) => name) ?? []), ...(chosen ? [chosen] : [])])
  return [{ value: '', label: usual }, ...[...names].map((name) => ({ value: name, label: name }))]
}
