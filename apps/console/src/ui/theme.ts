// The component kit dressed in the tokens: dark first, contrast checked, error text readable on both themes.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const dark: MantineColorsTuple = [
  '#e6ebf1',
  '#cdd5de',
  '#a9b4c2',
  '#8793a3',
  '#3a4452',
  '#2c343f',
  '#1b2027',
  '#14181d',
  '#0e1114',
  '#0a0c0f',
]

const accent: MantineColorsTuple = [
  '#eaf2ff',
  '#d3e3ff',
  '#b5d0ff',
  '#8fbaff',
  '#6ea8fe',
  '#4f8ef0',
  '#1f5fc4',
  '#1a52aa',
  '#16448d',
  '#113570',
]

export const theme = createTheme({
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: { fontFamily: 'var(--font-text)', fontWeight: '600' },
  fontSizes: { xs: '11px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '22px', xl: '24px' },
  defaultRadius: '5px',
  colors: { dark, accent },
  primaryColor: 'accent',
  primaryShade: { dark: 4, light: 6 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  respectReducedMotion: true,
  white: '#f7f8fa',
  black: '#14181d',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'xs' } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 6,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.55 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Menu: { defaultProps: { radius: 5, transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { radius: 5, transitionProps: { duration: 80 } } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: {
    '--mantine-color-body': 'var(--surface-1)',
    '--mantine-color-text': 'var(--text-1)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-error': '#ff8a85',
    '--mantine-color-default': 'var(--surface-2)',
    '--mantine-color-default-hover': 'var(--surface-3)',
    '--mantine-color-default-border': 'var(--outline)',
    '--mantine-color-disabled-color': 'var(--text-3)',
  },
  light: {
    '--mantine-color-body': 'var(--surface-2)',
    '--mantine-color-text': 'var(--text-1)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-error': '#a81e19',
    '--mantine-color-default': 'var(--surface-2)',
    '--mantine-color-default-hover': 'var(--surface-3)',
    '--mantine-color-default-border': 'var(--outline)',
    '--mantine-color-disabled-color': 'var(--text-3)',
  },
})
