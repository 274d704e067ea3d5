// The place of a server in the networks of a studio, where its channels are sent out by SMPTE 2110.
import { servers } from '@backhaul/contract/api/servers'
import type { AdministeredServer } from '@backhaul/contract/nouns/device-administration'
import { type SmpteNetworkSettings, SmpteServerRequest } from '@backhaul/contract/nouns/smpte'
import { NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { keepAnswer } from '../../doors/reads.ts'
import { type SmpteFields, SmpteForm } from '../smpte/SmpteForm.tsx'
import { figureOf, setServerSmpte, smpteOfServer, type Typed } from '../smpte/smpte.ts'

type Side = SmpteNetworkSettings['primary']

interface Draft {
  ptpDomain: Typed
  primary: Side
  secondary: Side
}

const empty: Side = { address: '', subnetMask: '', gateway: '' }
const usualDomain = 127

const draftOf = (settings: SmpteNetworkSettings | null): Draft => ({
  ptpDomain: settings?.ptpDomain ?? usualDomain,
  primary: settings?.primary ?? empty,
  secondary: settings?.secondary ?? empty,
})

const configurationOf = ({ ptpDomain, primary, secondary }: Draft) => ({
  ptpDomain: figureOf(ptpDomain),
  primary,
  secondary: Object.values(secondary).every((text) => text === '') ? null : secondary,
})

export function ServerSmpte({ server, onClose }: { server: AdministeredServer; onClose: () => void }) {
  const { t } = useTranslation('smpte')
  const { uid, name, capabilities } = server

  async function save(request: SmpteServerRequest): Promise<undefined> {
    await keepAnswer(servers.smpte, { params: { id: uid } }, await setServerSmpte(uid, request))
  }

  return (
    <SmpteForm
      id={uid}
      name={name}
      hint={t('serverHint')}
      isAble={capabilities?.smpte2110 === true}
      schema={SmpteServerRequest}
      draftOf={draftOf}
      configurationOf={configurationOf}
      read={() => smpteOfServer(uid)}
      save={save}
      fields={(form) => <NetworkFields {...form} />}
      onClose={onClose}
    />
  )
}

const sides = ['primary', 'secondary'] as const
const fieldsOfSide = ['address', 'subnetMask', 'gateway'] as const

function NetworkFields({ draft, set, fault, shut }: SmpteFields<Draft>) {
  const { t } = useTranslation('smpte')
  return (
    <>
      <NumberInput
        label={t('ptpDomain')}
        description={t('ptpHint')}
        value={draft.ptpDomain}
        error={fault('ptpDomain')}
        allowDecimal={false}
        hideControls
        size="xs"
        {...shut}
        onChange={(ptpDomain) => set({ ptpDomain })}
      />
      {sides.map((side) => (
        <fieldset key={side} className="form-group form-row">
          <legend>{t(`network.${side}`)}</legend>
          {fieldsOfSide.map((name) => (
            <TextInput
              key={name}
              label={t(`field.${name}`)}
              value={draft[side][name]}
              error={fault(`${side}.${name}`)}
              {...shut}
              onChange={(event) => set({ [side]: { ...draft[side], [name]: event.currentTarget.value } })}
            />
          ))}
        </fieldset>
      ))}
    </>
  )
}
