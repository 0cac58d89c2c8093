import MappingDesign
import Testing

struct Placeholder {}
