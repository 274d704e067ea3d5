// What the plain pages show of a unit.
const links = (unit) => unit.modems.filter(({ connected }) => connected).length

/** Each column by its name. */
export const columns = {
  status: (unit) => unit.status,
  name: (unit) => unit.name,
  channel: (unit) => unit.selectedChannelName || '—',
  bitrate: (unit) => (unit.uplink ? `${(unit.uplink.kbps / 1000).toFixed(1)} Mbps` : '—'),
  rtt: (unit) => (unit.uplink ? `${unit.uplink.rttMs} ms` : '—'),
  loss: (unit) => (unit.uplink ? `${unit.uplink.lossPercent} %` : '—'),
  links: (unit) => `${links(unit)} of ${unit.modems.length}`,
  battery: (unit) => (unit.battery ? `${unit.battery.percentage}%` : '—'),
  alerts: (unit) => unit.alerts.length,
  location: (unit) => unit.location?.lat.toFixed(4) ?? '—',
  delay: (unit) => unit.delay,
  type: (unit) => unit.type,
  version: (unit) => unit.displayVersion,
  comment: (unit) => unit.comment || '—',
}
