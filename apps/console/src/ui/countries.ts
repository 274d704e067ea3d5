// Countries by the code that the specification uses for smart units: three letters, small (CO-UNIT-36: usa).
import { byLanguage, compareTexts } from './locale.ts'

const byCode =
  'usa US,arg AR,aus AU,aut AT,bel BE,bgr BG,bra BR,can CA,che CH,chl CL,chn CN,col CO,cri CR,cyp CY,cze CZ,deu DE,' +
  'dnk DK,dza DZ,ecu EC,egy EG,esp ES,est EE,eth ET,fin FI,fra FR,gbr GB,geo GE,gha GH,grc GR,hkg HK,hrv HR,hun HU,' +
  'idn ID,ind IN,irl IE,irq IQ,isl IS,isr IL,ita IT,jam JM,jor JO,jpn JP,kaz KZ,ken KE,kor KR,kwt KW,lbn LB,ltu LT,' +
  'lux LU,lva LV,mar MA,mex MX,mlt MT,mys MY,nga NG,nld NL,nor NO,nzl NZ,pak PK,pan PA,per PE,phl PH,pol PL,prt PT,' +
  'qat QA,rou RO,sau SA,sen SN,sgp SG,srb RS,svk SK,svn SI,swe SE,tha TH,tun TN,tur TR,twn TW,ukr UA,ury UY,vnm VN,zaf ZA'

/** All countries in the language of the interface, in its order. */
export const countries = byLanguage((locale): readonly { value: string; label: string }[] => {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return byCode
    .split(',')
    .map((entry) => {
      const [value = '', region = ''] = entry.split(' ')
      return { value, label: names.of(region) ?? region }
    })
    .sort((a, b) => compareTexts(a.label, b.label))
})
