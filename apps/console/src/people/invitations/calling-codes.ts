// Phone numbers as written in a country, completed by its calling code (ITU-T E.164).

/** The calling code, then the countries that have it, by their codes of three letters. */
const byCallingCode =
  '1 usa can aia asm atg bhs bmu brb cym dma dom grd gum jam kna lca mnp msr pri sxm tca tto umi vct vgb vir,' +
  '7 rus kaz,20 egy,27 zaf,30 grc,31 nld,32 bel,33 fra,34 esp,36 hun,39 ita vat,40 rou,41 che,43 aut,' +
  '44 gbr ggy imn jey,45 dnk,46 swe,47 nor sjm bvt,48 pol,49 deu,51 per,52 mex,53 cub,54 arg,55 bra,56 chl,57 col,' +
  '58 ven,60 mys,61 aus cck cxr hmd,62 idn,63 phl,64 nzl pcn,65 sgp,66 tha,81 jpn,82 kor,84 vnm,86 chn,90 tur,91 ind,' +
  '92 pak,93 afg,94 lka,95 mmr,98 irn,211 ssd,212 mar esh,213 dza,216 tun,218 lby,220 gmb,221 sen,222 mrt,223 mli,' +
  '224 gin,225 civ,226 bfa,227 ner,228 tgo,229 ben,230 mus,231 lbr,232 sle,233 gha,234 nga,235 tcd,236 caf,237 cmr,' +
  '238 cpv,239 stp,240 gnq,241 gab,242 cog,243 cod,244 ago,245 gnb,246 iot,248 syc,249 sdn,250 rwa,251 eth,252 som,' +
  '253 dji,254 ken,255 tza,256 uga,257 bdi,258 moz,260 zmb,261 mdg,262 reu myt atf,263 zwe,264 nam,265 mwi,266 lso,' +
  '267 bwa,268 swz,269 com,290 shn,291 eri,297 abw,298 fro,299 grl,350 gib,351 prt,352 lux,353 irl,354 isl,355 alb,' +
  '356 mlt,357 cyp,358 fin ala,359 bgr,370 ltu,371 lva,372 est,373 mda,374 arm,375 blr,376 and,377 mco,378 smr,380 ukr,' +
  '381 srb,382 mne,385 hrv,386 svn,387 bih,389 mkd,420 cze,421 svk,423 lie,500 flk sgs,501 blz,502 gtm,503 slv,504 hnd,' +
  '505 nic,506 cri,507 pan,508 spm,509 hti,590 glp blm maf,591 bol,592 guy,593 ecu,594 guf,595 pry,596 mtq,597 sur,' +
  '598 ury,599 cuw bes,670 tls,672 nfk ata,673 brn,674 nru,675 png,676 ton,677 slb,678 vut,679 fji,680 plw,681 wlf,' +
  '682 cok,683 niu,685 wsm,686 kir,687 ncl,688 tuv,689 pyf,690 tkl,691 fsm,692 mhl,850 prk,852 hkg,853 mac,855 khm,' +
  '856 lao,880 bgd,886 twn,960 mdv,961 lbn,962 jor,963 syr,964 irq,965 kwt,966 sau,967 yem,968 omn,970 pse,971 are,' +
  '972 isr,973 bhr,974 qat,975 btn,976 mng,977 npl,992 tjk,993 tkm,994 aze,995 geo,996 kgz,998 uzb'

const callingCodes = new Map(
  byCallingCode.split(',').flatMap((line) => {
    const [code = '', ...countries] = line.split(' ')
    return countries.map((country) => [country, code] as const)
  }),
)

/** Prefix that is dialled before a national number and is no part of it; 0 elsewhere. */
const trunkPrefixes: Readonly<Record<string, string>> = { rus: '8', kaz: '8', tkm: '8', blr: '80', hun: '06' }

/** Their national numbers begin with a 0 of their own. */
const keepsZero = new Set(['ita', 'vat', 'smr', 'civ', 'cog', 'ben'])

export const callingCodeOf = (country: string): string | undefined => callingCodes.get(country)

/** A number with a plus or 00 names its country; any other is one of this country. Other text is left as it is. */
export function withCallingCode(number: string, country: string): string {
  const typed = number.trim()
  const digits = typed.replace(/[\s().-]/g, '')
  const code = callingCodeOf(country)
  if (code === undefined || !/^\d{5,}$/.test(digits)) return typed
  if (digits.startsWith('00')) return `+${digits.slice(2)}`
  const trunk = code === '1' ? '1' : (trunkPrefixes[country] ?? '0')
  const isCut = digits.startsWith(trunk) && !keepsZero.has(country)
  const national = isCut ? digits.slice(trunk.length) : digits
  // In North America all have ten digits: any other is a number of elsewhere, and core refuses it.
  return code === '1' && !/^[2-9]\d{9}$/.test(national) ? typed : `+${code}${national}`
}
