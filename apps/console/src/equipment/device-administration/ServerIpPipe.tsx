// IP pipes of a server: a switch, where units call, and the network of its machine that they lead into.
import { ipPipe as calls } from '@backhaul/contract/api/ip-pipe'
import type { AdministeredServer } from '@backhaul/contract/nouns/device-administration'
import { IpPipeConfiguration, noIpPipe, type ServerEthernet } from '@backhaul/contract/nouns/ip-pipe'
import { Alert, NativeSelect, NumberInput, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { Facts } from '../../ui/Facts.tsx'

export function ServerIpPipe({ server, onClose }: { server: AdministeredServer; onClose: () => void }) {
  const { t } = useTranslation('ipPipe')
  const { uid, name, capabilities } = server
  const params = { id: uid }
  const { data: known, errorText, again } = useRead(calls.configuration, { params }, { isStart: true })
  const { data: ethernets } = useRead(calls.ethernets, { params })
  const record = useRecordForm({
    start: (): Partial<IpPipeConfiguration> => ({}),
    schema: IpPipeConfiguration,
    requestOf: (touched) => ({ ...noIpPipe, ...known, ...touched }),
    async save(body) {
      await call(calls.configure, { params, body })
      await again()
      return undefined
    },
  })
  const values = { ...noIpPipe, ...known, ...record.values }
  const isAble = capabilities?.ipPipe === true
  // A setting that is on can be switched off, regardless of what the server supports now.
  const isShut = known === undefined || (!isAble && !known.enabled)
  const closed = isAble ? undefined : reasonText('ipPipe.serverCannot')
  const shut = disabledBecause(closed)
  return (
    <RecordForm
      record={record}
      fault={errorText}
      mayWrite={!isShut}
      mayApply
      done={() => ({ title: t('serverSaved'), text: name })}
      onClose={onClose}
    >
      <div className="dialog-part">
        <p className="quiet">{t('serverHint')}</p>
        {closed === undefined ? null : <Alert color="yellow">{closed}</Alert>}
        <Switch
          label={t('enabled')}
          checked={values.enabled}
          disabled={known === undefined}
          {...disabledBecause(isShut ? closed : undefined)}
          onChange={(event) => record.set({ enabled: event.currentTarget.checked })}
        />
        <NativeSelect
          label={t('interface')}
          error={record.faults.interface}
          {...shut}
          data={networkChoices(ethernets, values.interface, t('noNetwork'))}
          value={values.interface}
          onChange={(event) => record.set({ interface: event.currentTarget.value })}
        />
        <NumberInput
          label={t('port')}
          error={record.faults.port}
          {...shut}
          allowDecimal={false}
          hideControls
          clampBehavior="none"
          size="xs"
          value={values.port}
          onChange={(port) => record.set({ port: Number(port) })}
        />
        <Network ethernet={ethernets?.find((one) => one.name === values.interface)} />
      </div>
    </RecordForm>
  )
}

function networkChoices(ethernets: readonly ServerEthernet[] | undefined, chosen: string, none: string) {
  const names = new Set([...(ethernets?.map(({ name }) => name) ?? []), ...(chosen ? [chosen] : [])])
  return [{ value: '', label: none }, ...[...names].map((name) => ({ value: name, label: name }))]
}

/** The network as the machine has it. */
function Network({ ethernet }: { ethernet: ServerEthernet | undefined }) {
  const { t } = useTranslation('ipPipe')
  if (!ethernet) return null
  const { up, mac, sockets, addresses } = ethernet
  return (
    <Facts
      facts={[
        [t('network.link'), t(up ? 'network.up' : 'network.down')],
        [t('network.sockets'), sockets.join(', ') || '—'],
        [t('network.addresses'), addresses.join(', ') || '—'],
        [t('network.mac'), mac],
      ]}
    />
  )
}
