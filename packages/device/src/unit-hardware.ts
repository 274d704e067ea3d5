/** The port between a unit's brain and what it drives: cameras, encoders, links, disks, real or simulated. */
import type { Duplex } from 'node:stream'
import type { Reason, Wording } from '@backhaul/contract/define/refusals'
import type {
  UnitActual,
  UnitSample,
  WantedDatabridge,
  WantedIfb,
  WantedIntercom,
  WantedIpPipe,
  WantedTransmission,
  WantedVideoReturn,
} from '@backhaul/contract/gateway/units'
import type { UploadTunnel } from '@backhaul/contract/gateway/uploads'
import type { IntercomNumber } from '@backhaul/contract/nouns/intercom'
import type { FolderEntry } from '@backhaul/contract/nouns/unit-files'
import type { SimSlot, UnitModemChanges, WifiJoin } from '@backhaul/contract/nouns/unit-networks'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Upgrade } from './upgrading.ts'

/** Slow facts: read in full, and again after a change of the kind `facts`. */
export interface UnitFacts
  extends Pick<
    UnitActual,
    | 'links'
    | 'storages'
    | 'machine'
    | 'camera'
    | 'cameras'
    | 'capabilities'
    | 'settings'
    | 'extenders'
    | 'receivedReturn'
    | 'wifi'
    | 'modems'
    | 'cellularNetworks'
  > {
  /** The activities of the unit in addition to the transmission, for instance store or forward. */
  activities?: NonNullable<UnitActual['applications']>
  /** Only when the unit itself sets one, such as unavailable. */
  status?: UnitActual['status']
}

export type UnitHardwareChange =
  | { kind: 'facts' }
  | { kind: 'transmissionLost'; why: Reason | Wording }
  | { kind: 'videoReturnLost'; why: Reason | Wording }
  | { kind: 'databridgeLost'; why: Reason | Wording }
  | { kind: 'ipPipeLost'; why: Reason | Wording }
  | { kind: 'ifbLost'; why: Reason | Wording }
  | { kind: 'intercomLost'; intercom: IntercomNumber; why: Reason | Wording }

/** Shows the video return to the crew. */
export interface VideoReturnHardware {
  /** Resolves when the picture arrives. The signal is aborted when it is no longer wanted. */
  start(wanted: WantedVideoReturn, signal: AbortSignal): Promise<void>
  /** Called only for a return that has started and was not reported as lost. */
  stop(): void | Promise<void>
  /** Takes effect immediately on a return that is there or being started. */
  setDelay?(delayMs: number): void
}

/** The intercom of the crew; its lines are independent of each other. */
export interface IntercomHardware {
  /** Resolves when both sides hear each other. The signal is aborted when the session is no longer wanted. */
  connect(wanted: WantedIntercom, signal: AbortSignal): Promise<void>
  /** Called only for a session that was connected and was not reported as lost. */
  disconnect(intercom: IntercomNumber): void | Promise<void>
  /** The audio room of a session that is connected or being connected has another name. */
  renameRoom?(wanted: WantedIntercom): void
  /** Why a connected session has no sound in one direction; a change is one of the kind `facts`. */
  problem?(intercom: IntercomNumber): Reason | null
}

/** Plays the sound of an IFB to the crew. */
export interface IfbHardware {
  /** Resolves when its server answers. The signal is aborted when it is no longer wanted. */
  start(wanted: WantedIfb, signal: AbortSignal): Promise<void>
  /** Called only for one that has started and was not reported as lost. */
  stop(): void | Promise<void>
}

/** Connects machines of the crew with the network of a gateway. */
export interface DatabridgeHardware {
  /** Resolves when the gateway answers and the ports are open. The signal is aborted when it is no longer wanted. */
  start(wanted: WantedDatabridge, signal: AbortSignal): Promise<void>
  /** Called only for one that has started and was not reported as lost. */
  stop(): void | Promise<void>
}

/**
 * Joins networks by Wi-Fi and by modems, by the port of the link. What is found or changed is in the facts. A method that
 * rejects has changed nothing: a change by which core is not reached is undone.
 */
export interface NetworkHardware {
  /** Without force, what is known from a recent scan is enough. */
  scanWifi(port: number, isForced: boolean): Promise<void>
  connectWifi(port: number, join: Omit<WifiJoin, 'port'>): Promise<void>
  disconnectWifi(port: number): Promise<void>
  scanCellular(port: number): Promise<void>
  /** Undefined lets the modem choose. */
  selectNetwork(port: number, network: string | undefined): Promise<void>
  setActiveSim(port: number, sim: SimSlot): Promise<void>
  setModem(port: number, changes: UnitModemChanges, password: string | undefined): Promise<void>
}

/** Joins the Ethernet of the crew with a network of a server. */
export interface IpPipeHardware {
  /** Resolves when both ends have joined their networks. The signal is aborted when it is no longer wanted. */
  start(wanted: WantedIpPipe, signal: AbortSignal): Promise<void>
  /** Called only for one that has started and was not reported as lost. */
  stop(): void | Promise<void>
}

/** A file that is being read; closed by the caller that opened it. */
export interface OpenFile {
  readonly sizeBytes: number
  /** Its last change, in milliseconds since 1970. */
  readonly modifiedMs: number
  /** Fewer bytes than requested only at the end of the file. */
  read(from: number, length: number): Promise<Uint8Array<ArrayBuffer>>
  close(): void | Promise<void>
}

/** A stream to the server over all links; closed by the caller that opened it. */
export interface OpenUploadTunnel {
  readonly stream: Duplex
  close(): void | Promise<void>
}

/** Files on the storages that the facts name. A method that rejects has changed nothing; its message is shown to the operator. */
export interface UnitFiles {
  list(path: string): Promise<readonly FolderEntry[]>
  open(path: string): Promise<OpenFile>
  remove(path: string): Promise<void>
}

/** A method that throws or rejects has left nothing behind; the operator is shown its message, by its code if it is Refused. */
export interface UnitHardware {
  facts(): UnitFacts
  /** The figures of the interval that just ended; called once a report interval. */
  sample(): UnitSample
  /** Resolves when the receiver admits it. The signal is aborted when it is no longer wanted. */
  startTransmission(wanted: WantedTransmission, delayMs: number, signal: AbortSignal): Promise<void>
  /**
   * Moves what is sent to another receiver without a gap: the old one is served until the new one has the picture.
   * Resolves when the old one is no longer served; rejects with the old one still served. The signal is aborted when the
   * move is no longer wanted. Absent where a transmission has to stop before another starts.
   */
  moveTransmission?(wanted: WantedTransmission, delayMs: number, signal: AbortSignal): Promise<void>
  /** The same transmission with other limits of its channels; takes effect immediately, also while it starts. */
  limitTransmission(wanted: WantedTransmission): void | Promise<void>
  /** Called only for a transmission that has started and was not reported as lost. */
  stopTransmission(): void | Promise<void>
  /** Takes effect immediately, whether transmitting or not. */
  updateDelay(delayMs: number): void | Promise<void>
  setChannel(channelId: string | null): void | Promise<void>
  /** The hardware of the return; absent where it is not built in. */
  readonly videoReturn?: VideoReturnHardware
  readonly intercom?: IntercomHardware
  readonly ifb?: IfbHardware
  readonly databridge?: DatabridgeHardware
  /** Absent where the networks of the machine are not for the unit to change. */
  readonly networks?: NetworkHardware
  readonly ipPipe?: IpPipeHardware
  /** Absent on a unit without storages. */
  readonly files?: UnitFiles
  /**
   * Calls a server over all links, for a file. Rejects with `upload.serverSilent` when none is answered, and with
   * `upload.interrupted` without a link. Absent on a unit that sends its files through core alone.
   */
  openUploadTunnel?(wanted: UploadTunnel, signal: AbortSignal): Promise<OpenUploadTunnel>
  /** Ports that must not be used; every other one may. */
  setEnabledLinks(disabled: readonly number[]): void | Promise<void>
  /** Only settings that `facts` names; takes effect immediately, whether transmitting or not. */
  applySettings(changes: UnitSettings): void | Promise<void>
  /** The link extenders to send over, by serial number; only of units whose `facts` names some or none. */
  setExtenders?(serialNumbers: readonly string[]): void | Promise<void>
  /** The red light of the crew; absent where they have none. Called only when it changes; it is off before the first call. */
  showTally?(onAir: boolean): void
  /** The recent log lines, oldest first; absent where nothing is logged. */
  logs?(): string
  /** Installs other software; absent where the unit cannot. */
  readonly upgrade?: Upgrade
  /** Ends the process, to start the version that was installed; absent where `reboot` does so. */
  startInstalled?(): Promise<void>
  /** Resolves when the unit is up again; on a real machine the process ends instead. Rejects when it could not be rebooted. */
  reboot(): Promise<void>
  /** Resolves when the machine is going off; absent where its owner has not allowed it. */
  shutDown?(): Promise<void>
  /** There is one listener, and a second one replaces it. */
  onChange(listener: (change: UnitHardwareChange) => void): void
}
