# The layer of a file (cmake/layers.cmake), by its path from the top of the source tree or as it is included:
# src/core/world/world.h, core/world/world.h.
function layer_of(path)
{
    sub(/^src\//, "", path)
    if (path ~ /^io\//) return path ~ /^io\/(canvas|frames|hdf5|image|library|library_names\.h|npy|png|source)/ ? "image" : "files"
    sub(/\/.*/, "", path)
    return path
}
