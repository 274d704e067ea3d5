/** Settings of a unit: all together, or one by one under the paths and tokens of the specification. */
import { z } from 'zod'
import type { Action } from '../define/actions.ts'
import { accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  CappingChange,
  linkModes,
  SafQualityChange,
  SettingChanges,
  sendModes,
} from '../nouns/unit-settings.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const { shape } = SettingChanges.required()

/** A setting is accepted like every command: the unit's own report confirms it. */
const setting = <B extends z.ZodType>(
  method: 'PUT' | 'POST',
  path: string,
  summary: string,
  body: B,
  rows: readonly string[],
  permission: Action = 'operateUnits',
) =>
  endpoint({
    method,
    path,
    summary,
    permission,
    params: id,
    body,
    ...accepted,
    rows,
  })

const put = <B extends z.ZodType>(path: string, summary: string, body: B, rows: readonly string[]) =>
  setting('PUT', `/v2/units/{id}/${path}`, summary, body, rows)

const command = <B extends z.ZodType>(token: string, summary: string, body: B, rows: readonly string[]) =>
  setting('POST', `/devices/{id}/commands/${token}`, summary, body, rows)

const administer = 'administerDevices' as const
const limitBody = z.strictObject({ limit: shape.totalLimitKbps })
const readLimit = (
  path: string,
  summary: string,
  rows: readonly string[],
  permission: Action = 'viewUnits',
) =>
  endpoint({
    method: 'GET',
    path,
    summary,
    permission,
    params: id,
    response: z.object({ limit: z.number().int().describe('kbit/s; 0 limits nothing') }),
    errors: [404],
    example: { limit: 8000 },
    rows,
  })
const setLimit = (path: string, summary: string, rows: readonly string[], permission?: Action) =>
  setting('PUT', path, summary, limitBody, rows, permission)

const cellular = '/v2/units/{id}/bwLimitation/cellular'
const total = '/v2/units/{id}/bwLimitation/total'
const cellularAdmin = '/v2/admin/units/{id}/bwLimitation/cellular'
const totalAdmin = '/v2/admin/units/{id}/bwLimitation/total'

const audio = z.strictObject({
  audioChannels: shape.audioChannels.optional(),
  audioBitrate: shape.audioBitrate.optional(),
})
const enabled = z.strictObject({ enabled: z.boolean() })
const metadata = z.strictObject({ metadata: shape.metadata })

export const unitSettings = {
  configure: setting(
    'PUT',
    '/v2/units/{id}/configurationV2',
    'Changes any settings of a unit together: all of them, or none when one is refused',
    SettingChanges,
    [],
  ),
  setMetadata: put('metadata', 'Sets the metadata', metadata, ['EP-USET-02']),
  setDefaultMetadata: put('defaultMetadata', 'Sets the metadata that new files begin with', metadata, [
    'EP-USET-11',
  ]),
  setFilenamePrefix: put(
    'configuration/filenamePrefix',
    'Sets what the names of files begin with; no two units of one server share it',
    z.strictObject({ filenamePrefix: shape.filenamePrefix }),
    ['EP-USET-05'],
  ),
  setIpInput: put(
    'ipInputStream',
    'Sets whether the unit receives a picture over the network',
    shape.ipInput,
    ['EP-USET-09'],
  ),
  setNtpTimecode: put('ntpTimecode', 'Takes the time code from NTP, or not', enabled, ['EP-USET-06']),
  setTransmissionMode: put(
    'transmissionMode',
    'Sends over all links or over the fixed internet alone; or sends live, or stores to send later',
    z.strictObject({ transmissionMode: z.enum([...linkModes, ...sendModes]) }),
    ['EP-USET-07', 'GAP-CONF-07'],
  ),
  setOperationalMode: put(
    'operationalMode',
    'Sets what an idle unit works as; only modes that it is capable of',
    z.strictObject({ workingMode: shape.workingMode }),
    ['EP-USET-19', 'EN-UCONF-10', 'GAP-UNIT-09'],
  ),
  setLiveuIq: put('liveuIq', 'Lets the unit choose cellular operators by itself, or not', enabled, [
    'EP-USET-10',
  ]),
  setSafQuality: setting(
    'PUT',
    '/v0/units/{id}/storeandforward_quality',
    'Sets the quality of stored recordings by codec',
    z.strictObject({ storeandforward_quality: SafQualityChange }),
    ['EP-USET-12'],
  ),
  setCapping: put('network/capping', 'Caps what the unit sends; never while it is busy', CappingChange, [
    'EP-USET-13',
  ]),
  cellularLimit: readLimit(cellular, 'What all modems together may send', ['EP-USET-27']),
  setCellularLimit: setLimit(cellular, 'Limits what all modems together may send', ['EP-USET-28']),
  totalLimit: readLimit(total, 'What all links together may send', ['EP-USET-29']),
  setTotalLimit: setLimit(total, 'Limits what all links together may send', ['EP-USET-30']),
  cellularLimitAsAdmin: readLimit(
    cellularAdmin,
    'What all modems together may send',
    ['EP-USET-31'],
    administer,
  ),
  setCellularLimitAsAdmin: setLimit(
    cellularAdmin,
    'Limits what all modems together may send',
    ['EP-USET-32'],
    administer,
  ),
  totalLimitAsAdmin: readLimit(totalAdmin, 'What all links together may send', ['EP-USET-33'], administer),
  setTotalLimitAsAdmin: setLimit(
    totalAdmin,
    'Limits what all links together may send',
    ['EP-USET-34'],
    administer,
  ),
  setAudioBitrate: command(
    'set_audio_bitrate',
    'Sets the bit rate of the sound',
    z.strictObject({ audioBitrate: shape.audioBitrate }),
    ['EP-UCMD-11'],
  ),
  setAudioParameters: command(
    'set_audio_parameters',
    'Sets channels and bit rate of the sound; for units from 5.0 on',
    audio,
    ['EP-UCMD-12'],
  ),
  setAudioParametersOld: command(
    'set_audio_parameters_old',
    'The same for units below 5.0, which have two channels',
    audio,
    ['EP-UCMD-13'],
  ),
  setShootingMode: command(
    'set_shooting_mode',
    'Sets whether the camera is fixed or moves',
    z.strictObject({ shootingMode: shape.shootingMode }),
    ['EP-UCMD-14'],
  ),
  setMetadataByCommand: command('set_metadata', 'Sets the metadata', metadata, ['EP-UCMD-15']),
  filenamePrefix: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/get_saf_filename_prefix',
    summary: 'Prefix of the names of stored recordings',
    permission: 'viewUnits',
    params: id,
    body: z.union([z.strictObject({}), z.undefined()]),
    response: z.object({ filenamePrefix: z.string() }),
    errors: [404],
    example: { filenamePrefix: 'NEWS_' },
    rows: ['EP-UCMD-16'],
  }),
  setSafQualityByCommand: command(
    'set_saf_quality',
    'Sets the quality of stored recordings by codec',
    z.strictObject({ quality: SafQualityChange }),
    ['EP-UCMD-17'],
  ),
  setSafEncoder: command(
    'set_saf_encoder',
    'Sets the codec of stored recordings',
    z.strictObject({ encoder: shape.storeAndForwardEncoder }),
    ['EP-UCMD-18'],
  ),
  setAncillaryData: command('set_ancillary_data', 'Passes on ancillary data, or not; from 6.5 on', enabled, [
    'EP-UCMD-22',
  ]),
  setVideoComplexity: command(
    'set_video_complexity',
    'Sets how much processor time the encoder spends on a picture',
    z.strictObject({ videoComplexity: shape.videoComplexity }),
    ['EP-UCMD-32'],
  ),
}
