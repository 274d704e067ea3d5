// Output of the picture, the sound and the data of a channel on the networks of a studio.
import {
  type Essence,
  essences,
  SmpteChannelRequest,
  type SmpteStreams,
  smpteFlavors,
} from '@backhaul/contract/nouns/smpte'
import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type SmpteFields, SmpteForm } from '../smpte/SmpteForm.tsx'
import { figureOf, setChannelSmpte, smpteOfChannel, type Typed } from '../smpte/smpte.ts'
import { administeredChannels, type ChannelTabProps } from './channel-administration.ts'

type Draft = { flavor: string } & Record<Essence, { address: string; port: Typed }>

const empty = { address: '', port: '' }

const draftOf = (streams: SmpteStreams | null): Draft => ({
  flavor: streams?.flavor ?? smpteFlavors[0],
  video: streams?.video ?? empty,
  audio: streams?.audio ?? empty,
  audio2: streams?.audio2 ?? empty,
  ancillary: streams?.ancillary ?? empty,
})

const streamOf = ({ address, port }: Draft[Essence]) => ({ address, port: figureOf(port) })

const streamIfAny = (typed: Draft[Essence]) =>
  typed.address === '' && typed.port === '' ? null : streamOf(typed)

const configurationOf = ({ flavor, video, audio, audio2, ancillary }: Draft) => ({
  flavor,
  video: streamOf(video),
  audio: streamOf(audio),
  audio2: streamIfAny(audio2),
  ancillary: streamIfAny(ancillary),
})

export function SmpteTab({ channel, onClose }: ChannelTabProps) {
  const { t } = useTranslation('smpte')
  const { uniqueId, name, capabilities } = channel
  return (
    <SmpteForm
      id={uniqueId}
      name={name}
      hint={t('channelHint')}
      isAble={capabilities.smpte2110 === true}
      schema={SmpteChannelRequest}
      draftOf={draftOf}
      configurationOf={configurationOf}
      read={() => smpteOfChannel(uniqueId)}
      save={(request) => administeredChannels.change(() => setChannelSmpte(uniqueId, request))}
      fields={(form) => <StreamFields {...form} />}
      onClose={onClose}
    />
  )
}

function StreamFields({ draft, set, fault, shut }: SmpteFields<Draft>) {
  const { t } = useTranslation('smpte')
  return (
    <>
      <NativeSelect
        label={t('flavor')}
        data={smpteFlavors.map((value) => ({ value, label: t(`flavors.${value}`) }))}
        value={draft.flavor}
        error={fault('flavor')}
        {...shut}
        onChange={(event) => set({ flavor: event.currentTarget.value })}
      />
      {essences.map((essence) => (
        <fieldset key={essence} className="form-group form-row">
          <legend>{t(`essence.${essence}`)}</legend>
          <TextInput
            label={t('multicast')}
            value={draft[essence].address}
            error={fault(`${essence}.address`) ?? fault(essence)}
            {...shut}
            onChange={(event) =>
              set({ [essence]: { ...draft[essence], address: event.currentTarget.value } })
            }
          />
          <NumberInput
            label={t('port')}
            value={draft[essence].port}
            error={fault(`${essence}.port`)}
            allowDecimal={false}
            hideControls
            size="xs"
            {...shut}
            onChange={(port) => set({ [essence]: { ...draft[essence], port } })}
          />
        </fieldset>
      ))}
    </>
  )
}
